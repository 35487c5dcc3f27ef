"""What of an item held back is found in what is to be published, and what is only worded like it."""

import json
import random
import time

import pytest
from audit.test_make_release import item

from inforce.audit.leaks import LONG_RUN, Names, find_leaks, plain

FACTS = 'The miller of Orrow said "no" to the carter, who then left forty sacks at the gate.\nThat was in May, and it rained for nine days.'
REASONING = "Whoever leaves sacks at a gate in the rain bears what the rain does to them, and the miller had never taken them in."
OTHER_REASONING = "A carter is paid for the road that he has gone, whether or not the door is opened to him at its end, said the court."


NUMBERS = {"demo-1991-0278": "forty", "case-a": "nine", "case-x": "eleven"}


def case(name, facts=FACTS, reasoning=REASONING, shared=(), **changes):
    given = item(name, shared)
    asked = {
        "question": f"Who bears the loss of {NUMBERS[name]} sacks?",
        "verdict": f"The carter bears it for {NUMBERS[name]} sacks.",
        "reasoning": reasoning,
    }
    question = given.sub_questions[0].model_copy(update=asked | {key: changes.pop(key) for key in list(changes) if key in asked})
    values = {
        "title": f"Wet sacks at a gate, {NUMBERS[name]} of them",
        "source_id": "278/1991",
        "fact_pattern": facts,
        "sub_questions": [question],
    }
    return given.model_copy(update=values | changes)


HELD = case("demo-1991-0278")
RELEASED = case("case-a", "The buyer saw a crack in the drum and wrote at once.", OTHER_REASONING, source_id="1/1984")


def in_document(text):
    return find_leaks({"a.md": f"A rubric. {text} More of it."}, [HELD], [RELEASED], [])


def in_record(text, field="fact_pattern", held=(HELD,), released=(RELEASED,), law=()):
    files = {
        "validation_split.jsonl": json.dumps({"id": "case-a", "sub_questions": [{field: f"Facts. {text}"}]}, ensure_ascii=False) + "\n"
    }
    return find_leaks(files, list(held), list(released), list(law))


@pytest.mark.parametrize("marks", ["{}", "{},", "{}.", "`{}`", "({})", "[{}]", '"{}"', "**{}**", "ดู{}นี้", "{}\\n", "results/{}/x"])
@pytest.mark.parametrize("name", ["demo-1991-0278", "278/1991"])
def test_a_name_is_found_whatever_stands_around_it(name, marks):
    for found in (in_document(marks.format(name)), in_record(marks.format(name))):
        assert found and "names item demo-1991-0278" in found[0]


@pytest.mark.parametrize("text", ["demo-1991-02789", "1278/1991", "278/19910", "xdemo-1991-0278"])
def test_a_longer_name_is_another(text):
    assert in_document(text) == in_record(text) == []


def test_names_without_letters_of_ascii_are_found_too():
    assert list(Names(["คดีแดง"]).within("ใน คดีแดง นี้")) == ["คดีแดง"]


def test_a_number_that_a_released_item_or_the_law_has_and_a_short_bare_one_are_no_secret():
    text = "in 278/1991 and 27"
    assert in_record(text, released=[RELEASED.model_copy(update={"source_id": "278/1991"})]) == []
    assert in_record(text, law=["Act No. 278/1991"]) == []
    assert in_record(text, held=[HELD.model_copy(update={"source_id": "27"})]) == []


@pytest.mark.parametrize(
    "text",
    [
        HELD.title,
        HELD.sub_questions[0].question,
        HELD.sub_questions[0].verdict,
        REASONING,
        REASONING[:-1],
        REASONING[1:],
        REASONING.replace(" ", "\n"),
        FACTS,
        FACTS.replace("\n", "  \n> ")[:90],
        FACTS.split("\n")[1],
    ],
)
def test_words_of_a_case_are_found_raw_and_escaped_in_documents_and_records(text):
    escaped = json.dumps(text)[1:-1]
    for found in (in_document(text), in_document(escaped), in_record(text), in_record(escaped)):
        assert any("holds a text of item demo-1991-0278" in one for one in found)


def test_a_piece_from_the_middle_is_found_in_a_document_and_a_long_one_in_a_record():
    assert in_document(REASONING[3:51])
    assert not in_record(REASONING[3:51])  # wording
    assert in_record(REASONING[2 : 12 + LONG_RUN])


def test_what_the_law_says_and_what_many_cases_say_is_no_secret():
    assert in_record(REASONING, law=["Section 1. " + REASONING]) == []
    usage = "Whoever leaves sacks at a gate bears the loss of them."
    two = [HELD, case("case-x", f"Other facts. {usage}", "Other reasons.", source_id="7/1999")]
    assert in_record(usage, held=[HELD.model_copy(update={"fact_pattern": f"{FACTS} {usage}"}), two[1]]) == []
    assert in_record(usage, held=[HELD.model_copy(update={"fact_pattern": f"{FACTS} {usage}"})])


def test_a_whole_story_that_two_cases_tell_is_a_secret_all_the_same():
    assert in_record(FACTS, held=[HELD, case("case-x", FACTS, "Other reasons.", source_id="7/1999")])


def test_a_shared_question_is_the_released_item_s_own_and_facts_are_not():
    question = HELD.sub_questions[0].question
    held = case("demo-1991-0278", shared=["case-a"])
    released = case("case-a", FACTS, OTHER_REASONING, ["demo-1991-0278"], source_id="1/1984", question=question)
    assert in_record(question, held=[held], released=[released]) == []
    assert in_record(question, held=[HELD], released=[RELEASED])
    assert in_record(FACTS, held=[held], released=[released])


def test_a_verdict_among_verdicts_is_no_secret():
    verdict = HELD.sub_questions[0].verdict
    assert in_record(verdict, "verdict") == []
    assert in_record(verdict, "reasoning")


def test_plain_text_has_no_escapes_and_single_spaces():
    assert plain('a\\nb  \\"c\\" &amp; \\u0e01\t d') == 'a b "c" & ก d'


def test_a_thousand_items_are_searched_in_seconds():
    def words(n):
        draw = random.Random(n)
        return " ".join(f"w{draw.randrange(10**6)}" for _ in range(200))

    held = [HELD.model_copy(update={"id": f"big-{n}", "source_id": f"{n}/2001", "fact_pattern": words(n)}) for n in range(1000)]
    texts = [{"fact_pattern": words(n)} for n in range(1000, 1500)] + [{"title": f"of 999/2001, {words(7)[20:500]}"}]
    start = time.perf_counter()
    found = find_leaks({"a.jsonl": "".join(json.dumps(text) + "\n" for text in texts)}, held, [RELEASED], [])
    assert [line.split(" item ")[1].split(",")[0] for line in found] == ["big-999", "big-7"]
    assert time.perf_counter() - start < 30  # about 4 s of one core
