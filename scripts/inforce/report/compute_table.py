"""Tokens, share of reasoning, searches and GPU hours of each model (NitiBench+ Table 16). The CSV has the paper's columns as numbers."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import pandas as pd

from inforce.config.model import Model
from inforce.report.model_rows import headings_of, model_rows
from inforce.report.table_files import add_table_arguments, write_table_files
from inforce.report.words import ReportError, cells_of, fixed, read_csv, read_models

READ = [
    *("model", "input_tokens", "output_tokens", "n_with_tokens", "n", "reasoning_share", "n_with_reasoning"),
    *("searches_rag_current", "searches_rag_in_force", "gpu_hours"),
]
COLUMNS = [
    *("model", "tokens_in_millions", "tokens_out_millions", "reasoning_share", "searches_rag_current", "searches_rag_in_force"),
    *("gpu_hours", "counted"),
]
HEADER = ["Model", "Tokens in (M)", "Tokens out (M)", "Reasoning share", "Searches: RAG Cur.", "Searches: RAG InF.", "GPU hours", "Counted"]
NOTE = (
    "Sums over the settings and samples of the run; tokens in include tool results. Reasoning share = reasoning tokens of all tokens written, "
    "empty where the engine does not report them. Searches = mean of an answer. GPU hours are the user's log (config/gpu_hours.csv), empty where "
    "none is kept. Counted = answers whose engine reports tokens, of all. ↪ = trained from the model above."
)


def compute_table(compute: pd.DataFrame, models: dict[str, Model]) -> pd.DataFrame:
    """The table as text, from the rows of compute.csv."""
    cells = cells_of(compute, ["model"])
    rows = []
    for row in model_rows(models):
        cell = cells[(row.key,)]
        share = fixed(number(cell["reasoning_share"]), 0)
        rows.append(
            {
                **{"model": models[row.key].name, "reasoning_share": f"{share}%" if share else ""},
                **{"tokens_in_millions": millions(cell["input_tokens"]), "tokens_out_millions": millions(cell["output_tokens"])},
                **{name: fixed(number(cell[name]), 1) for name in ("searches_rag_current", "searches_rag_in_force")},
                **{"gpu_hours": fixed(number(cell["gpu_hours"]), 1), "counted": f"{cell['n_with_tokens']:.0f}/{cell['n']:.0f}"},
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def number(value: object) -> float | None:
    """A cell of a table as a number; None where it is empty."""
    return None if value is None or value == "" else float(str(value))


def millions(tokens: object) -> str:
    """Tokens in millions: three digits at least, `126400000` -> `126.4`, `5230` -> `0.00523`; empty where unknown."""
    value = number(tokens)
    if value is None or not math.isfinite(value):
        return ""
    scaled = value / 1e6
    return f"{scaled:.1f}" if scaled >= 10 else f"{scaled:.3g}"


def main(argv: list[str] | None = None) -> None:
    """Read compute.csv, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.report.compute_table --compute results/stats/demo/compute.csv --models-dir config/models "
        "--csv results/report/demo/table16_compute.csv --markdown results/report/demo/table16_compute.md "
        "--latex results/report/demo/table16_compute.tex",
    )
    parser.add_argument("--compute", required=True, help="compute.csv")
    parser.add_argument("--models-dir", required=True, type=Path)
    add_table_arguments(parser)
    args = parser.parse_args(argv)
    try:
        compute = read_csv(args.compute, READ)
        models = read_models(args.models_dir, compute["model"].unique())
        table = compute_table(compute, models)
    except ReportError as error:
        raise SystemExit(str(error)) from error
    order = model_rows(models)
    rows = [[row.label, *cells[1:]] for row, cells in zip(order, table.to_numpy().tolist(), strict=True)]
    write_table_files(args, table, HEADER, rows, NOTE, headings_of(order))


if __name__ == "__main__":
    main()
