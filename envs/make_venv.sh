#!/usr/bin/env bash
# Make .venv from the hash-locked requirement files; does nothing when they are unchanged.
# usage: envs/make_venv.sh cpu|cluster|test
# cluster is for a machine that builds images or submits jobs and runs none of the stages itself
set -euo pipefail
cd "$(dirname "$0")/.."
want=$1
python=${PYTHON:-python3}

say() { printf '%s\n' "$*" >&2; }

"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null ||
    { say "Python 3.11 is needed and '$python' is not it: install it, or name it with PYTHON=/path/to/python3.11"; exit 1; }
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    # Debian keeps venv in a package of its own
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing python3-venv"
        apt-get update -qq && apt-get install -y -qq --no-install-recommends python3.11-venv >/dev/null
    else
        say "Python has no venv module: install the package python3.11-venv and run this again"; exit 1
    fi
fi

files=(envs/torch-cpu.txt envs/cpu.txt envs/models.txt)
case $want in
cluster) files=(envs/cluster.txt) ;;
test) files+=(envs/cluster.txt envs/test.txt) ;;
esac
stamp=.venv/.made-from-$want
now=$(cat "${files[@]}" | sha256sum)
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ] && exit 0

[ "$want" = cluster ] && size="some 200 MB" || size="some 2 GB; a few minutes the first time"
say "Making .venv ($size)"
[ -x .venv/bin/python ] || "$python" -m venv .venv
pip() { .venv/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps "$@"; }
for file in "${files[@]}"; do
    say "  $file"
    if [ "$file" = envs/torch-cpu.txt ]; then
        pip -r "$file" || {
            say "  no CPU build of torch was found (PIP_FIND_LINKS or an extra index can name one); taking the index's own, some 3 GB"
            pip -r envs/torch-index.txt
        }
    else
        pip -r "$file" || { say "Installing $file failed: see the message above; nothing was run"; exit 1; }
    fi
done
printf '%s\n' "$now" >"$stamp"
