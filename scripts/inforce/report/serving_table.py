"""How each model of a run is served (NitiBench+ Table 15), from its configuration; unknown is empty.

params are total parameters, or total/active; tensor_parallel the GPUs that share the model; window the context length in tokens; reasoning and
tool_parser the server's parsers, or how the harness finds them: `think tags` in the text, a `field` of the reply, the `action protocol`.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pandas as pd

from inforce.config.load import ConfigError, read_config
from inforce.config.model import UNFILLED, Endpoint, Model, Vllm
from inforce.report.model_rows import headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files

COLUMNS = ["model", "checkpoint", "revision", "params", "tensor_parallel", "window", "reasoning_parser", "tool_parser", "served"]
HEADER = ["Model", "Checkpoint", "Revision", "Params", "TP", "Window", "Reasoning", "Tool parser", "Served by"]
NOTE = (
    "Params = total parameters, or total/active. TP = GPUs that share the model. Window = context length in tokens. ↪ = trained from the "
    "model above. A cell is empty where the provider does not say, or the configuration is not filled in."
)


def serving_table(models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the models' configurations."""
    rows = []
    for row in model_rows(models):
        model = models[row.key]
        via = model.via
        parallel, reasoning, tools, served = "", "", "", "this process, transformers"
        if isinstance(via, Vllm):
            parallel, reasoning, tools = str(via.tensor_parallel), via.reasoning_parser or "", via.tool_call_parser or ""
            served = f"vLLM {via.version}"
        elif isinstance(via, Endpoint):
            parallel, reasoning, tools = (
                option(via.engine_args, name) for name in ("--tensor-parallel-size", "--reasoning-parser", "--tool-call-parser")
            )
            served = via.engine
        words = {"think_tags": "on (think tags)", "field": "on", "none": "none"}[model.reasoning]
        rows.append(
            {
                **{"model": model.name, "checkpoint": model.checkpoint, "params": model.params, "tensor_parallel": parallel},
                **{"revision": "" if model.revision.startswith(UNFILLED) else model.revision},
                **{"window": "" if model.window is None else str(model.window), "served": served},
                **{"reasoning_parser": f"on ({reasoning})" if reasoning else words},
                **{"tool_parser": tools or ("action protocol" if model.tools == "action_protocol" else "")},
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def option(arguments: list[str], name: str) -> str:
    """The value of a command-line option, `--name value` or `--name=value`; empty where it is not given."""
    for place, argument in enumerate(arguments):
        if argument == name and place + 1 < len(arguments):
            return arguments[place + 1]
        if argument.startswith(f"{name}="):
            return argument.split("=", 1)[1]
    return ""


def short_window(tokens: str) -> str:
    """`262144` -> `262k`."""
    return f"{int(tokens) // 1000}k" if tokens and int(tokens) >= 1000 else tokens


def short_revision(revision: str) -> str:
    """Twelve digits of a commit; other revisions as they are."""
    return revision[:12] if re.fullmatch("[0-9a-f]{40}", revision) else revision


def main(argv: list[str] | None = None) -> None:
    """Read the configurations, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.serving_table --models config/models/smollm2-135m.yaml "
        "--csv results/report/demo/table15_serving.csv --markdown results/report/demo/table15_serving.md "
        "--latex results/report/demo/table15_serving.tex",
    )
    parser.add_argument("--models", required=True, nargs="+", type=Path, help="config/models/NAME.yaml of each model of the run")
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        models = {path.stem: read_config(path, Model) for path in args.models}
    except ConfigError as error:
        raise SystemExit(str(error)) from error
    table, order = serving_table(models), model_rows(models)
    rows = [
        [
            row.label,
            *(short_window(cell) if name == "window" else short_revision(cell) if name == "revision" else cell for name, cell in cells),
        ]
        for row, cells in zip(order, (list(line.items())[1:] for line in table.to_dict("records")), strict=True)
    ]
    write_table_files(args, table, HEADER, rows, NOTE, headings_of(order))


if __name__ == "__main__":
    main()
