"""config/releases/*.yaml: what the owner of a jurisdiction's data decides about publishing it."""

from __future__ import annotations

import datetime as dt

from pydantic import Field

from inforce.config.load import Strict


class ReleaseSettings(Strict):
    """One file a jurisdiction, of the same name. Everything in it is the owner's choice; nothing is published without it."""

    title: str = Field(description="name of the released data set")
    description: str = Field(description="a paragraph for the data set's card")
    publisher: str = Field(description="who publishes it")
    licence: str = Field(description="SPDX identifier or address of the licence")
    licence_text: str = Field(description="the licence, or where its text is found: the released file LICENSE")
    published: dt.date = Field(
        description="the day of publication; taken from here and not from the clock, so that equal content is equal bytes"
    )
    canary: str = Field(min_length=20, description="put into every released record, so that training corpora can leave it out")
    allowed: bool = Field(True, description="false = the data's terms forbid publishing it; make_release then refuses")
