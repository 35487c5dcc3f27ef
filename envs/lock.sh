#!/usr/bin/env bash
# Make the hash-locked requirement files anew from cpu.in and test.in (make lock).
# torch is locked twice over: the CPU build's hash, found through PIP_FIND_LINKS or an extra index, and the index's own.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
    .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file "$1" "$2"
}
torch_hashes=$(sed -n '/^torch==/,/^    #/p' envs/cpu.txt | grep -o 'sha256:[0-9a-f]*' | sort -u)
compile envs/cpu.txt envs/cpu.in
sed -i -E 's/^torch==([0-9.]+)\+cpu/torch==\1/' envs/cpu.txt
for hash in $torch_hashes; do
    grep -q "$hash" envs/cpu.txt || sed -i "/^torch==/a\\    --hash=$hash \\\\" envs/cpu.txt
done
compile envs/test.txt envs/test.in
