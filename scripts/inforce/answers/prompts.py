"""Prompt templates of a task and language: plain text files rendered with jinja2, where an unknown name is an error and no gap.

One folder holds all words that a model is shown, those of the search tool included, so that a new language is a new folder and no code.
What a template is given is data: template marks inside a statute or a case are shown as they are.
"""

from __future__ import annotations

from pathlib import Path

import jinja2

NAMES = (
    "system",  # what is asked and how to reply, where provisions are given or nothing is
    "search_system",  # the same, where the model searches
    "user",  # the case
    "results",  # what a search returned
    "no_searches",  # said when the last search is used up
    "error",  # said when a search could not be run
    "again",  # said when an answer could not be read
    "tool",  # what the search tool does
    "tool_query",  # what its one argument is
)


class PromptError(ValueError):
    """A prompt folder that cannot be used. The message names the file and what is wrong in it."""


class Prompts:
    """The templates of one folder. Raises PromptError if one is missing or is no template."""

    def __init__(self, folder: Path | str) -> None:
        self._folder = Path(folder)
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(self._folder),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )
        self._templates = {name: self._load(name) for name in NAMES}

    def render(self, name: str, **values: object) -> str:
        """The words of the template `name`, without white space around them. Raises PromptError for a name it uses and is not given."""
        try:
            return self._templates[name].render(**values).strip()
        except jinja2.TemplateError as error:
            raise PromptError(f"{self._folder / name}.txt: {error}") from error

    def _load(self, name: str) -> jinja2.Template:
        try:
            return self._environment.get_template(f"{name}.txt")
        except jinja2.TemplateNotFound as error:
            raise PromptError(
                f"{self._folder} has no {error.name}; a prompt folder holds {', '.join(f'{known}.txt' for known in NAMES)}"
            ) from error
        except jinja2.TemplateSyntaxError as error:
            raise PromptError(f"{self._folder / name}.txt, line {error.lineno}: {error.message}") from error
