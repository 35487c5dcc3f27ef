#!/usr/bin/env bash
# Make the hash-locked requirement files anew from cpu.in and test.in (make lock).
# torch is kept apart: torch-cpu.txt names the CPU build, torch-index.txt the index's own file with the libraries that it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
    .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file "$1" "$2"
}
compile envs/cpu.txt envs/cpu.in
.venv/bin/python - <<'PYTHON'
import pathlib
import re

path = pathlib.Path("envs/cpu.txt")
path.write_text(re.sub(r"^torch==.*?(?=^\S)", "", path.read_text(), flags=re.M | re.S))
PYTHON
compile envs/test.txt envs/test.in
# without the folders and extra indexes where a machine keeps its CPU build
grep -o '^torch==[0-9.]*' envs/torch-cpu.txt >.cache-torch.in
env -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null bash -c "$(declare -f compile); compile envs/torch-index.txt .cache-torch.in"
rm .cache-torch.in
