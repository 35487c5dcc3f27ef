import io

from inforce.records.progress import Progress, duration


def test_lines_say_what_how_far_and_how_long():
    out, now = io.StringIO(), [0.0]
    progress = Progress("answers demo", 4, done=1, out=out, clock=lambda: now[0])
    for now[0] in (2.0, 10.0, 20.0):  # at 2 s it is too soon for a line; at 10 s two are done here and one is left
        progress.step()
    assert out.getvalue().splitlines() == [
        "answers demo: 1 of 4 (25 %)",
        "answers demo: 3 of 4 (75 %), about 5 s left",
        "answers demo: 4 of 4 (100 %), done in 20 s",
    ]


def test_nothing_to_do_is_done():
    out = io.StringIO()
    Progress("x", 0, out=out)
    assert out.getvalue() == "x: 0 of 0 (100 %), done in 0 s\n"


def test_duration():
    assert [duration(s) for s in (0, 59, 60, 75, 3720)] == ["0 s", "59 s", "1 min 0 s", "1 min 15 s", "1 h 2 min"]
