#!/usr/bin/env bash
# The validator of the RO-Crate community in an environment of its own, .cache/tests/crate: what envs/crate.txt locks, some 70 MB.
# Does nothing when it is there and the lock is unchanged. usage: tests/audit/install_validator.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.cache/tests/crate
now=$(sha256sum <envs/crate.txt)
[ -f "$venv/.made-from" ] && [ "$(cat "$venv/.made-from")" = "$now" ] && exit 0
rm -rf "$venv"
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps -r envs/crate.txt
printf '%s\n' "$now" >"$venv/.made-from"
