"""How fast citations are found in text, and law names resolved against a catalogue. Prints figures and the machine.

Texts are made up from a fixed seed in the forms of one grammar, with ordinary words between the citations. Names are made up as well: most
mentions repeat, some are misspelt in their own way; each distinct misspelling is compared with the whole catalogue.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from inforce.citations.extract import extract
from inforce.citations.grammar import Grammar
from inforce.citations.law_catalogue import LawCatalogue
from inforce.config.citations import CitationGrammar
from inforce.config.load import read_config

ROOT = Path(__file__).parents[1]
FORMS = {
    "en_demo": [
        "Under section {a} of the {law} the claim is barred when the time has run, and the court so held. ",
        "The buyer relied on sections {a}, {b} and {c} of the same Act, but no notice had been given in time. ",
        "Section {a}({d})(a) leaves the landlord no choice in the matter; sections {a} to {b} do not change that. ",
    ],
    "th": [
        "จำเลยมีความผิดตามประมวลกฎหมายอาญา มาตรา {a} ประกอบด้วยมาตรา {b} ซึ่งเป็นบทที่มีโทษหนักที่สุด ",
        "โจทก์ฟ้องขอให้ลงโทษจำเลยตาม ป.อ. มาตรา {a} ({d}) ({e}) วรรคสอง, {b}, {c} ทวิ ศาลชั้นต้นพิพากษายกฟ้อง ",
        "การกระทำของจำเลยจึงไม่เป็นความผิดตามมาตรา {a} วรรคแรก และศาลอุทธรณ์พิพากษาแก้เป็นอย่างอื่น ",
    ],
    "tw": [
        "被告違反民法第{a}條第一項前段、第{b}條之二之規定，致生損害於原告，應負賠償責任。",
        "依刑法第{a}條至第{b}條，及同法第{c}條第{d}項第{e}款規定處斷，其所為應論以一罪。",
        "原告主張依前條及第{a}條之規定請求，為被告所否認，並以前詞置辯。",
    ],
    "fr": [
        "En application de l'article {a} du code civil, la demande est recevable dans le délai prévu par la loi. ",
        "Vu les articles L. {a}-{d}, R. {b}-{e} et {c} du code de commerce, la cour d'appel a légalement justifié sa décision. ",
        "Le premier alinéa de l'article {a} du même code ne s'applique pas aux contrats conclus avant cette date. ",
    ],
}


def made_texts(name: str, citations_wanted: int, seed: int = 1) -> list[str]:
    """Texts of ten sentences each, two citations a sentence or a little less, so that about as many as wanted are in them."""
    rng = random.Random(seed)
    texts = []
    for _ in range(citations_wanted // 20):
        sentences = []
        for _ in range(10):
            numbers = {key: rng.randint(1, 900 if key in "abc" else 9) for key in "abcde"}
            sentences.append(rng.choice(FORMS[name]).format(law="Consumer Sales Act", **numbers))
        texts.append("".join(sentences))
    return texts


def made_catalogue(size: int, seed: int = 2) -> list[dict[str, object]]:
    """Laws with names of two to six made-up words and a year."""
    rng = random.Random(seed)
    parts = [
        "ba",
        "cor",
        "den",
        "fil",
        "gran",
        "hos",
        "jun",
        "kel",
        "lam",
        "mer",
        "nov",
        "pal",
        "quin",
        "ros",
        "sten",
        "tur",
        "vel",
        "wick",
    ]
    words = ["".join(rng.choices(parts, k=rng.randint(2, 3))).capitalize() for _ in range(900)]
    rows: list[dict[str, object]] = []
    for number in range(size):
        name = f"{' '.join(rng.choices(words, k=rng.randint(2, 6)))} Act {rng.randint(1850, 2025)}"
        rows.append({"law_code": f"L{number}", "name": name, "aliases": []})
    return rows


def made_mentions(rows: list[dict[str, object]], mentions: int, misspelt: int, seed: int = 3) -> list[str]:
    """Mentions of the laws; `misspelt` distinct ones with two letters changed."""
    rng = random.Random(seed)
    names = [str(row["name"]) for row in rows]
    wrong = set()
    while len(wrong) < misspelt:
        letters = list(rng.choice(names))
        for at in rng.sample(range(len(letters) - 5), 2):
            letters[at] = rng.choice("abcdefghijklmnopqrstuvwxyz")
        wrong.add("".join(letters))
    some = [*names, *sorted(wrong)]
    return sorted(wrong) + rng.choices(some, k=mentions - misspelt)


def cpu_seconds() -> float:
    """CPU time of this process and of the workers that have ended: on a shared machine it says more than the clock."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


_grammar: Grammar | None = None


def _start(name: str, laws: list[dict[str, object]]) -> None:
    global _grammar
    config = read_config(ROOT / "config" / "citations" / f"{name}.yaml", CitationGrammar)
    _grammar = Grammar(config, LawCatalogue(laws, config))


def _count(texts: list[str]) -> int:
    assert _grammar is not None
    return sum(len(extract(text, _grammar)) for text in texts)


def time_extraction(name: str, wanted: int, workers: int, laws: list[dict[str, object]]) -> str:
    """Find the citations of made-up texts, compiling included; a line of figures."""
    texts = made_texts(name, wanted)
    size = sum(map(len, texts))
    blocks = [texts[at : at + 200] for at in range(0, len(texts), 200)]
    start, cpu = time.perf_counter(), cpu_seconds()
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(name, laws)) as pool:
        found = sum(pool.map(_count, blocks))
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu
    return (
        f"{name:8} {found:9,} citations in {size / 1e6:6.1f} M characters, {len(laws):5,} laws: {seconds:6.1f} s "
        f"({cpu:6.1f} s of CPU), 1 million in {1e6 / found * seconds:5.1f} s ({1e6 / found * cpu:5.1f} s of CPU)"
    )


def time_names(catalogue: int, mentions: int, misspelt: int, workers: int) -> str:
    """Resolve mentions of laws, building the catalogue included; a line of figures."""
    rows = made_catalogue(catalogue)
    names = made_mentions(rows, mentions, misspelt)
    config = read_config(ROOT / "config" / "citations" / "en_demo.yaml", CitationGrammar)
    start, cpu = time.perf_counter(), cpu_seconds()
    laws = list(LawCatalogue(rows, config).find_all(names, workers))
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - cpu
    right = sum(law.code is not None for law in laws)
    return (
        f"names    {len(laws):9,} mentions, {len(set(names)):7,} distinct, {misspelt:6,} of them misspelt, {catalogue:,} laws: "
        f"{seconds:6.1f} s ({cpu:.1f} s of CPU), {right / len(laws):.2%} resolved"
    )


def main(argv: list[str] | None = None) -> None:
    """Run what is asked and print one line each."""
    parser = argparse.ArgumentParser(
        prog="python benchmarks/citations.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: PYTHONPATH=scripts python benchmarks/citations.py --citations 1000000 --workers 2",
    )
    parser.add_argument("--citations", type=int, default=100_000, help="about how many citations to find for each grammar")
    parser.add_argument("--grammars", nargs="*", default=sorted(FORMS), choices=sorted(FORMS))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--catalogue", type=int, default=6_000, help="laws that names are resolved against")
    parser.add_argument("--mentions", type=int, default=1_000_000)
    parser.add_argument("--misspelt", type=int, nargs="*", default=[2_000], help="how many distinct misspellings, one run for each")
    args = parser.parse_args(argv)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {args.workers} workers")
    for name in args.grammars:
        for laws in ([], made_catalogue(args.catalogue)) if name == "en_demo" else ([],):
            print(time_extraction(name, args.citations, args.workers, list(laws)), flush=True)
    for misspelt in args.misspelt:
        print(time_names(args.catalogue, args.mentions, misspelt, args.workers), flush=True)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"peak memory of one process {peak / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
