"""The page as HTML, and the page in a real browser."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from report.small_run import HOSTILE, unpack
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from inforce.report import make_report as module
from inforce.report.page_answers import pack


@pytest.fixture(scope="module")
def html(small_report: Path) -> str:
    return (small_report / "report.html").read_text(encoding="utf-8")


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_holds_no_element_but_its_own(html: str) -> None:
    found = Elements(html).found
    kinds = [attributes.get("type") for tag, attributes in found if tag == "script"]
    assert kinds == [*["text/plain"] * 12, "application/json", None]  # six items in each run
    assert all(attributes["src"].startswith("data:image/svg+xml;base64,") for tag, attributes in found if tag == "img")
    assert not [tag for tag, _ in found if tag in ("link", "iframe", "object", "embed", "form", "base", "svg", "b")]
    assert not [name for _, attributes in found for name in attributes if name.startswith("on")]
    links = [attributes["href"] for tag, attributes in found if tag == "a"]
    ids = {attributes.get("id") for _, attributes in found}
    assert links and all(link.startswith("#") and link[1:] in ids for link in links)


def test_the_policy_names_the_page_s_own_script_and_no_other(html: str) -> None:
    script = html.rsplit("<script>", 1)[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy and f"script-src 'sha256-{digest}'" in policy[1] and "default-src 'none'" in policy[1]


def test_embedded_json_cannot_leave_its_element_and_loses_nothing() -> None:
    value = {"a": [HOSTILE, "</SCRIPT >", "<!--", "&amp;", "\u2028", "ก"]}
    text = module.embedded_json(value)
    assert not set("<>&") & set(text) and json.loads(text) == value


def test_blocks_of_answers_are_base64_and_nothing_else(html: str, small_report: Path, tmp_path: Path) -> None:
    blocks = re.findall(r'<script type="text/plain" id="answers-\d-\d">([^<]*)</script>', html)
    assert len(blocks) == 12 and [len(unpack(block)) for block in blocks] == [10] * 6 + [2] * 6
    page = json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8"))
    page["items"][2]["packed"] = "abc=</script><script>window.hacked = 1"
    (tmp_path / "page.json").write_text(json.dumps(page), encoding="utf-8")
    with pytest.raises(SystemExit, match="crim::002 are not packed as base64"):
        module.main(
            [
                "--pages",
                str(tmp_path / "page.json"),
                "--leaderboard",
                str(small_report / "leaderboard.csv"),
                "--out",
                str(tmp_path / "r.html"),
            ]
        )


def changed_page(small_report: Path, tmp_path: Path, change: dict[str, Any]) -> str:
    """The report on the run demo whose page was changed."""
    page = json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8"))
    (tmp_path / "page.json").write_text(json.dumps(page | change), encoding="utf-8")
    board = str(small_report / "leaderboard.csv")
    module.main(["--pages", str(tmp_path / "page.json"), "--leaderboard", board, "--out", str(tmp_path / "r.html")])
    return (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_page_says_what_it_shows(small_report: Path, tmp_path: Path, html: str) -> None:
    note = html.split('id="items"')[1].split("</p>")[0]
    assert "demo: all 6 items. second: all 6 items." in note
    text = changed_page(small_report, tmp_path, {"n_items": 20, "n_held_out": 14, "samples": [1, 3], "cut_at": 900})
    note = text.split('id="items"')[1].split("</p>")[0]
    assert "all 6 items of the validation split; 14 of the test split and the reserve are held out" in note
    assert "with the answers of the first sample (of 1 to 3 samples each)" in note and "longer than 900 characters are cut there" in note
    assert "<dt>Items</dt><dd>20, 1 to 3 samples each</dd>" in text and "<dd>6, 1 sample each</dd>" in html


def test_examples_left_out_are_counted(small_report: Path, tmp_path: Path) -> None:
    kind = {"kind": "ended", "action": "repaired", "n": 3, "examples": [["d", "8", "another case"]], "n_held_out": 2}
    text = changed_page(small_report, tmp_path, {"problems": [{"file": "drift/problems", "n": 3, "kinds": [kind]}]})
    assert "2 left out: they name held-out items" in text


def test_a_drawing_says_where_its_numbers_are(html: str) -> None:
    texts = [attributes["alt"] for tag, attributes in Elements(html).found if tag == "img"]
    assert texts[0] == "Scores with 95 % intervals, run demo; its numbers are in results/stats/demo/settings.csv."


def test_same_input_same_bytes(small_report: Path, tmp_path: Path) -> None:
    pages = [str(small_report / run / "page.json") for run in ("demo", "second")]
    module.main(["--pages", *pages, "--leaderboard", str(small_report / "leaderboard.csv"), "--out", str(tmp_path / "again.html")])
    assert (tmp_path / "again.html").read_bytes() == (small_report / "report.html").read_bytes()


def test_first_page_says_what_was_scored_and_what_was_wrong(html: str) -> None:
    overview = html.split('id="overview"')[1].split('id="leaderboard"')[0]
    assert "All 3 seats of the panel are filled by one judge Little Judge." in overview
    assert "Little &lt;Model&gt; 1B" in overview and "Testland &lt;b&gt;" in overview
    assert "25: 25 sentinel date (repaired)" in overview
    assert re.search(r"\d+ of 120 sub-questions × samples have the score", overview)
    assert re.search(r"\d+ of 60 are ok, \d+ unparsed", overview)


def test_a_run_whose_items_are_hidden(small_report: Path, tmp_path: Path) -> None:
    page = json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8")) | {
        "items": [],
        "items_hidden": True,
        "n_items": 500,
    }
    (tmp_path / "page.json").write_text(json.dumps(page), encoding="utf-8")
    module.main(
        ["--pages", str(tmp_path / "page.json"), "--leaderboard", str(small_report / "leaderboard.csv"), "--out", str(tmp_path / "r.html")]
    )
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "The items of this run are not shown." in text and "Is the accused liable" not in text


def test_failures_are_one_sentence(tmp_path: Path, small_report: Path) -> None:
    board = str(small_report / "leaderboard.csv")
    with pytest.raises(SystemExit, match="does not exist"):
        module.main(["--pages", str(tmp_path / "none.json"), "--leaderboard", board, "--out", "x"])
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(SystemExit, match="not JSON"):
        module.main(["--pages", str(tmp_path / "bad.json"), "--leaderboard", board, "--out", "x"])


# ---- in a real browser ----


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    programs = {package: shutil.which(program) for package, program in (("chromium", "chromium"), ("chromium-driver", "chromedriver"))}
    missing = [package for package, path in programs.items() if path is None]
    if missing:
        pytest.fail(
            f"the report is tested in a real browser: install the Debian packages {' and '.join(missing)} (bash tests/install_browser.sh)"
        )
    options = webdriver.ChromeOptions()
    options.binary_location = str(programs["chromium"])
    flags = (
        "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync"
    )
    profile = tmp_path_factory.mktemp("browser")
    for flag in [*flags.split(), "disable-dev-shm-usage", "window-size=1300,1000", f"user-data-dir={profile}"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(programs["chromium-driver"])))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: WebDriver, small_report: Path) -> Iterator[WebDriver]:
    """The freshly loaded page; whatever a test did, no script of an answer ran, nothing was asked of a network, nothing went wrong."""
    browser.get_log("browser"), browser.get_log("performance")
    browser.get((small_report / "report.html").as_uri())
    yield browser
    assert browser.execute_script("return window.hacked === undefined && document.querySelectorAll('svg, b').length === 0")
    assert browser.get_log("browser") == []
    assert [url for url in requests(browser) if not url.startswith(("file:", "data:", "chrome:"))] == []


def requests(browser: WebDriver) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


def texts(page: WebDriver, selector: str) -> list[str]:
    return [element.get_attribute("textContent") or "" for element in page.find_elements(By.CSS_SELECTOR, selector)]


def named(page: WebDriver, selector: str, text: str) -> Any:
    return next(
        element for element in page.find_elements(By.CSS_SELECTOR, selector) if text in (element.get_attribute("textContent") or "")
    )


def wait_for_answers(page: WebDriver, n: int) -> None:
    """Until the answers to the opened item are unpacked."""
    WebDriverWait(page, 10).until(lambda page: len(page.find_elements(By.CSS_SELECTOR, "#item details.answer")) == n)


def test_the_page_loads(page: WebDriver) -> None:
    assert page.title == "InForce report"
    assert len(page.find_elements(By.CSS_SELECTOR, "#board tbody tr")) == 4
    assert page.execute_script("return [...document.images].every(image => image.complete && image.naturalWidth > 400)")
    assert page.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


def test_sorting_keeps_unknown_last_both_ways_and_says_so(page: WebDriver) -> None:
    button = named(page, "#board th button", "In‑force")
    column = page.execute_script("return arguments[0].closest('th').cellIndex", button)
    heading = page.execute_script("return arguments[0].closest('th')", button)

    def order() -> list[float | None]:
        script = "return [...document.querySelectorAll('#board tbody tr')].map(row => row.cells[arguments[0]].dataset.sort)"
        return [float(value) if value else None for value in page.execute_script(script, column)]

    button.click()
    first = order()
    assert heading.get_attribute("aria-sort") == "descending" and first[2:] == [None, None] and first[0] >= first[1]
    button.send_keys(Keys.ENTER)  # the keyboard does what the mouse does
    second = order()
    assert heading.get_attribute("aria-sort") == "ascending" and second[2:] == [None, None] and second[0] <= second[1]
    named(page, "#board th button", "Model").click()
    assert heading.get_attribute("aria-sort") is None
    names = texts(page, "#board tbody th")
    assert names == sorted(names)


def test_filter_by_run(page: WebDriver) -> None:
    page.find_element(By.ID, "run-filter").send_keys("second")
    shown = [row for row in page.find_elements(By.CSS_SELECTOR, "#board tbody tr") if row.is_displayed()]
    assert [row.get_attribute("data-run") for row in shown] == ["second", "second"]


def choose(page: WebDriver, control: str, value: str) -> None:
    script = "const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))"
    page.execute_script(script, control, value)


def test_the_leaderboard_narrows_to_a_domain_and_a_band(page: WebDriver, small_report: Path) -> None:
    with open(small_report / "demo" / "by_band.csv", encoding="utf-8", newline="") as handle:
        wanted = {tuple(row[k] for k in ("model", "setting", "domain", "band")): row for row in csv.DictReader(handle)}
    before = texts(page, "#board td.score")
    choose(page, "board-domain", "criminal")
    choose(page, "board-band", "amended")
    row = page.find_element(By.CSS_SELECTOR, "#board tr[data-run='demo'][data-model='little-model']")
    for cell in row.find_elements(By.CSS_SELECTOR, "td.score"):
        found = wanted["little-model", cell.get_attribute("data-setting") or "", "criminal", "amended"]
        shown = cell.get_attribute("textContent") or ""
        assert shown.startswith(f"{float(found['value']):.2f}" if found["value"] else "–")
        assert shown.endswith(f"{found['n_scored']}/{found['n']}")
    assert not any(cell.is_displayed() for cell in page.find_elements(By.CSS_SELECTOR, "#board td.other"))
    choose(page, "board-domain", "all")
    choose(page, "board-band", "all")
    after = texts(page, "#board td.score")
    assert ["".join(text.split()) for text in after] == ["".join(text.split()) for text in before]


def test_a_score_says_what_it_rests_on(page: WebDriver) -> None:
    cell = page.find_element(By.CSS_SELECTOR, "#board tr[data-run='demo'] td.score")
    page.execute_script("arguments[0].focus()", cell)  # by keyboard as by mouse
    detail = page.find_element(By.ID, "board-detail")
    assert detail.is_displayed()
    words = detail.text
    assert "95 % interval" in words and "sub-questions × samples" in words and "left out, not read as zero" in words


def test_figures_and_tables_are_all_there(page: WebDriver) -> None:
    assert texts(page, "figure figcaption") == ["Figure 6: Scores with 95 % intervals"] * 2
    assert [text.split(" (")[0] for text in texts(page, "details.table summary")] == [
        "Table 7: Scores in the settings",
        "Table 8: What the law in force gains over the current law",
    ] * 2


def test_an_item_opens_with_the_change_marked_and_hostile_answers_inert(page: WebDriver) -> None:
    page.execute_script("arguments[0].click()", named(page, "#item-list button", "Case 4"))
    wait_for_answers(page, 10)
    assert texts(page, "#item del") == ["six"] and texts(page, "#item ins") == [" dishonestly", "sixty"]
    assert texts(page, "#item h3") == ["Case 4 of a thing taken away"]
    answers = page.find_elements(By.CSS_SELECTOR, "#item details.answer")
    assert len(answers) == 10
    for answer in answers:
        page.execute_script("arguments[0].open = true", answer)
    page.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 50))")
    body = "\n".join(texts(page, "#item .answer .body"))
    assert HOSTILE.split("\u2028")[0] in body and "invented law" in body and "Little Judge (3 seats)" in body and "T5" in body
    assert "Searches: 1" in body and "Failed tool calls: 1" in body and "panel incomplete" in body


def test_an_answer_that_did_not_parse_shows_its_text(page: WebDriver) -> None:
    page.find_element(By.ID, "item-status").send_keys("any unparsed")
    buttons = page.find_elements(By.CSS_SELECTOR, "#item-list button")
    assert 0 < len(buttons) < 6
    page.execute_script("arguments[0].click()", buttons[0])
    wait_for_answers(page, 10)
    summary = named(page, "#item details.answer summary", "unparsed")
    page.execute_script("arguments[0].click()", summary)
    page.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 50))")
    assert "What the model wrote" in "".join(texts(page, "#item details.answer[open]"))


def test_the_list_by_keyboard(page: WebDriver) -> None:
    find = page.find_element(By.ID, "item-find")
    find.send_keys("ลักทรัพย์")
    assert texts(page, "#item-count") == ["3 of 6"]
    find.send_keys(Keys.TAB)
    assert page.switch_to.active_element.get_attribute("data-item") == "crim::001"
    page.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    page.switch_to.active_element.send_keys(Keys.END)
    assert page.switch_to.active_element.get_attribute("data-item") == "crim::005"
    page.switch_to.active_element.send_keys(Keys.ARROW_UP)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert texts(page, "#item h3") == ["คดีลักทรัพย์ที่ 3"] and page.switch_to.active_element.get_attribute("id") == "item"
    assert texts(page, "#item-list button[aria-current='true'] .meta")[0].startswith("criminal")


def test_a_search_without_result_and_another_run(page: WebDriver) -> None:
    find = page.find_element(By.ID, "item-find")
    find.send_keys("nothing like this")
    assert texts(page, "#item-list") == ["No item fits."]
    find.clear()
    find.send_keys(" ")
    page.find_element(By.ID, "item-run").send_keys("second")
    wait_for_answers(page, 2)


def test_it_prints_without_the_parts_that_need_a_screen(page: WebDriver) -> None:
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for selector in ("nav.bar", "#item-list", "#item-controls"):
            assert not page.find_element(By.CSS_SELECTOR, selector).is_displayed()
        assert page.find_element(By.ID, "board").is_displayed()
        assert len(page.print_page()) > 20_000
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_on_paper_every_table_is_open_and_afterwards_as_before(page: WebDriver) -> None:
    script = """
      const closed = () => document.querySelectorAll("#main > section:not(#items) details:not([open])").length;
      const seen = [closed()];
      window.addEventListener("beforeprint", () => seen.push(closed()));
      window.addEventListener("afterprint", () => seen.push(closed()));
      window.seen = seen;
    """
    page.execute_script(script)
    page.print_page()
    WebDriverWait(page, 10).until(lambda page: len(page.execute_script("return window.seen")) >= 3)
    before, during, after = page.execute_script("return window.seen")[:3]
    assert before == after > 0 and during == 0


def test_a_list_citation_shows_a_badge_for_each_section(browser: WebDriver, small_report: Path, tmp_path: Path) -> None:
    page = json.loads((small_report / "demo" / "page.json").read_text(encoding="utf-8"))
    block = json.loads(zlib.decompress(base64.b64decode(page["items"][0]["packed"]), -15))
    for sub in (sub for answer in block["answers"] for sub in answer["subs"]):
        rows = [["exact", True, None, "290"], ["nonexistent", False, "section", "999"]]
        sub["citations"] = [{"text": "Penal Code 290, 999", "found": rows}]
    page["items"][0]["packed"] = pack(json.dumps(block).encode())
    changed_page(small_report, tmp_path, {"items": page["items"]})
    browser.get((tmp_path / "r.html").as_uri())
    wait_for_answers(browser, 10)
    summary = next(element for element in browser.find_elements(By.CSS_SELECTOR, "#item details.answer summary") if "ok" in element.text)
    browser.execute_script("arguments[0].click()", summary)
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 50))")
    lines = texts(browser, "#item details.answer[open] .body li")
    assert any(line == "Penal Code 290, 999  290 In force on the dayhit 999 Does not existinvented section" for line in lines), lines


def test_a_narrow_window_scrolls_in_its_tables_only(page: WebDriver) -> None:
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= 390
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
