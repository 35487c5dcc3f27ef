"""config.yaml: which runs are made, and where things lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field

from inforce.config.load import Name, Strict


class Run(Strict):
    """One run: jurisdiction × task × protocol, each the name of a file under config/."""

    jurisdiction: Name = Field(description="config/jurisdictions/NAME.yaml")
    task: Literal["essay"] = "essay"
    protocol: Name = Field(description="config/protocols/NAME.yaml")


class Config(Strict):
    """The whole run of the pipeline."""

    runs: dict[Name, Run] = Field(min_length=1, description="runs by name; the name is a folder under results/")
    data_root: str = Field("data", description="folder of outside data; the variable INFORCE_DATA goes before it")
    responses: str = Field(
        "responses",
        description="folder of the response store; kept outside results/ so that deleting results never deletes a response that was paid for",
    )
    stored_only: bool = Field(
        False, description="true = an auditor's run: take every response from the store, fail on the first that is missing, call no model"
    )


def bind_folders(config: Config) -> None:
    """Name the folders of outside data and of stored responses to Apptainer (APPTAINER_BIND), if they are there.

    An image sees the working directory and what is bound, and these may lie elsewhere: an auditor's responses do.
    """
    roots = [path for path in (Path(data_root(config)), Path(config.responses)) if path.is_dir()]
    bound = [*os.environ.get("APPTAINER_BIND", "").split(","), *(str(path.resolve()) for path in roots)]
    if roots:
        os.environ["APPTAINER_BIND"] = ",".join(dict.fromkeys(filter(None, bound)))


def data_root(config: Config) -> str:
    """The folder of outside data: INFORCE_DATA if set, else `data_root`."""
    return os.environ.get("INFORCE_DATA") or config.data_root
