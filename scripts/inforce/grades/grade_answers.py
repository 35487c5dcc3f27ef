"""Ask one judge to grade all answers of one model, setting and sample on the eight-tier rubric (NitiBench+ B.1, B.2).

One request an answer, at temperature 0, without tools. The reply is JSON against a schema; a reply that is not valid is asked for once
more, and is then judge_unparsed. An answer whose own status is not ok is not shown to the judge: its status is carried over.
Every response is stored the moment it arrives, so that a run that was killed asks nothing twice.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Judge, Model
from inforce.grades.judge_prompt import JudgePrompts, PromptError
from inforce.grades.reply import ReplyError, ReplyGrade, parse_reply, reply_schema
from inforce.models.interface import ChatResponse, MissingResponse, ModelUnavailable
from inforce.models.open import StoredModel, open_model
from inforce.models.stopping import run
from inforce.records.answers import Answer
from inforce.records.grades import Grade, SubGrade
from inforce.records.items import Item
from inforce.records.lines import read_lines, write_lines
from inforce.records.pairing import pair_answers
from inforce.records.progress import Progress
from inforce.records.status import STATUSES, Status

ATTEMPTS = 2  # the request and one re-ask


class JudgeError(RuntimeError):
    """The endpoint gave no reply; no grades file is written."""


async def grade_answer(item: Item, answer: Answer, judge_name: str, judge: Judge, model: StoredModel, prompts: JudgePrompts) -> Grade:
    """One judge's grade of one answer. Raises JudgeError for an error that may pass when asked again later."""
    n = len(item.sub_questions)
    if answer.status != "ok":
        return _grade(item, answer, judge_name, answer.status, [])
    messages = prompts.messages(item, answer.sub_answers, judge.justification_chars)
    asked: list[str] = []
    for attempt in range(1, ATTEMPTS + 1):
        request = model.build_request(
            messages,
            response_schema=reply_schema(n, judge.justification_chars),
            sampling={"temperature": 0},
            max_output_tokens=judge.max_output_tokens,
            seed_name=f"judge/{model.model.checkpoint}/{item.id}/{attempt}",
            sample=1,
        )
        asked.append(request.sha256)
        response = await model.complete(request)
        if response.error_class == "transient":
            raise JudgeError(f"item {item.id}: {response.error}")
        if response.error_class is not None:
            return _grade(
                item, answer, judge_name, "endpoint_error" if response.error_class == "permanent" else response.error_class, asked
            )
        try:
            return _grade(item, answer, judge_name, "ok", asked, read_reply(response, n))
        except ReplyError as error:
            messages = [
                *messages,
                {"role": "assistant", "content": response.text.strip() or "-"},
                {"role": "user", "content": prompts.again(str(error))},
            ]
    return _grade(item, answer, judge_name, "judge_unparsed", asked)


def read_reply(response: ChatResponse, n_sub_questions: int) -> list[ReplyGrade]:
    """The grades of a response. Raises ReplyError, also for one that was cut off."""
    try:
        return parse_reply(response.text, n_sub_questions)
    except ReplyError as error:
        if response.finish_reason == "length":
            raise ReplyError("it was cut off at the token limit; keep the justifications short") from error
        raise


def _grade(item: Item, answer: Answer, judge_name: str, status: Status, asked: list[str], given: list[ReplyGrade] | None = None) -> Grade:
    empty = [
        SubGrade(sub_question=number, status=status, tier=None, score=None, justification=None)
        for number in range(1, len(item.sub_questions) + 1)
    ]
    return Grade(
        item_id=item.id,
        model=answer.model,
        setting=answer.setting,
        sample=answer.sample,
        judge=judge_name,
        status=status,
        request_sha256=asked,
        sub_grades=empty
        if given is None
        else [
            SubGrade(sub_question=g.sub_question, status="ok", tier=g.tier, score=float(g.score), justification=g.justification)
            for g in given
        ],
    )


async def grade_all(
    pairs: list[tuple[Item, Answer]], judge_name: str, judge: Judge, model: StoredModel, prompts: JudgePrompts, progress: Progress
) -> list[Grade]:
    """Grades in item order. All are asked at once; what bounds them is the judge's own concurrency.

    Raises JudgeError if any request failed for now, after all others have been answered and stored, or if every request was refused as
    wrong: what is wrong is then the judge's configuration.
    """

    async def one(item: Item, answer: Answer) -> Grade | JudgeError:
        try:
            return await grade_answer(item, answer, judge_name, judge, model, prompts)
        except JudgeError as error:
            return error
        finally:
            progress.step()

    tasks = [asyncio.ensure_future(one(item, answer)) for item, answer in pairs]
    try:
        done = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    failed = [result for result in done if isinstance(result, JudgeError)]
    if failed:
        raise JudgeError(f"{len(failed)} of {len(done)} answers got no reply from the judge; the first: {failed[0]}")
    grades = [result for result in done if isinstance(result, Grade)]
    shown = [grade for grade in grades if grade.request_sha256]
    if shown and all(grade.status == "endpoint_error" for grade in shown):
        raise JudgeError(f"the endpoint refused all {len(shown)} requests as wrong; check the judge's model file against what it accepts")
    return grades


def summary(grades: list[Grade], model: StoredModel) -> str:
    """One line for people: how many grades of which status, what was asked and what was found."""
    counts: Counter[str] = Counter(grade.status for grade in grades)
    statuses = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    return f"{len(grades)} grades ({statuses}); responses: {model.asked} asked, {model.found} found"


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text. Exit status 1 with one sentence for what cannot be used or was not answered."""
    args = _parser().parse_args(argv)
    try:
        _run(args)
    except JudgeError as error:
        raise SystemExit(f"{args.out} is not written: {error}. What was answered is stored: run again to resume") from error
    except (MissingResponse, ModelUnavailable, ConfigError, PromptError) as error:
        raise SystemExit(str(error)) from error
    except (OSError, ValueError) as error:
        raise SystemExit(f"grade_answers: {error}") from error


def _run(args: argparse.Namespace) -> None:
    judge, config = read_config(args.judge_config, Judge), read_config(args.model_config, Model)
    if judge.model != args.model_config.stem:
        raise ConfigError(f"{args.judge_config} grades with model {judge.model}, but --model-config is {args.model_config}")
    pairs = pair_answers(read_lines(args.items, Item), read_lines(args.answers, Answer), args.items, args.answers)
    prompts = JudgePrompts(args.prompts)
    model = open_model(
        config,
        model_name=judge.model,
        weights=args.weights,
        responses=args.responses,
        writer=_writer(args.out),
        stored_only=args.stored_only,
    )

    async def whole() -> list[Grade]:
        progress = Progress(f"{args.judge_name}: answers graded", len(pairs))
        try:
            return await grade_all(pairs, args.judge_name, judge, model, prompts, progress)
        finally:
            await model.close()

    grades = run(whole())
    write_lines(args.out, grades)
    print(summary(grades, model))


def _writer(out: Path) -> str:
    """The job's own file in the store, named by what the job is: results/grades/R/M/S/N/J.jsonl -> judge.R.M.S.N.J."""
    return ".".join(["judge", *(part for part in out.with_suffix("").parts[-5:] if part.strip("/."))])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m inforce.grades.grade_answers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.grades.grade_answers --items results/runs/demo/items.jsonl "
        "--answers results/answers/demo/M/parametric/1.jsonl --judge-name J --judge-config config/judges/J.yaml "
        "--model-config config/models/JM.yaml --prompts config/prompts/essay.en --responses responses "
        "--out results/grades/demo/M/parametric/1/J.jsonl",
    )
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of the run")
    parser.add_argument("--answers", required=True, type=Path, help="answers of one model, setting and sample")
    parser.add_argument("--judge-name", required=True, help="stem of the judge's configuration file; written into every grade")
    parser.add_argument("--judge-config", required=True, type=Path, help="config/judges/NAME.yaml")
    parser.add_argument("--model-config", required=True, type=Path, help="config/models/NAME.yaml of the judge's model")
    parser.add_argument("--weights", type=Path, help="folder made by prepare_model, for local models")
    parser.add_argument("--prompts", required=True, type=Path, help="folder with judge_system.txt, judge_user.txt and judge_again.txt")
    parser.add_argument("--responses", required=True, type=Path, help="folder of the response store")
    parser.add_argument("--stored-only", action="store_true", help="take every response from the store, fail on the first that is missing")
    parser.add_argument("--out", required=True, type=Path, help="written: one line an item")
    return parser


if __name__ == "__main__":
    main()
