"""JSON Schemas of the configuration files, made from the typed models, for editors that complete and check YAML.

A test holds the files under config/schemas/ in step with the models; this command mends them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pydantic import BaseModel

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.masking import Masking
from inforce.config.model import Embedding, Judge, Model
from inforce.config.protocol import Protocol
from inforce.config.release import ReleaseSettings
from inforce.config.run import Config
from inforce.records.files import write_text

KINDS: dict[str, type[BaseModel]] = {
    "config": Config,
    "embedding": Embedding,
    "judge": Judge,
    "jurisdiction": Jurisdiction,
    "masking": Masking,
    "model": Model,
    "protocol": Protocol,
    "release": ReleaseSettings,
}


def schema_text(kind: type[BaseModel]) -> str:
    """The JSON Schema of one kind of file, indented, with a final newline."""
    return json.dumps(kind.model_json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main(argv: list[str] | None = None) -> None:
    """Write one NAME.schema.json for each kind of configuration file."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.config.schema",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.config.schema --folder config/schemas",
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the schemas are written")
    folder: Path = parser.parse_args(argv).folder
    for name, kind in KINDS.items():
        write_text(folder / f"{name}.schema.json", schema_text(kind))


if __name__ == "__main__":
    main()
