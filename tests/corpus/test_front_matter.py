from inforce.corpus.front_matter import split_front_matter


def test_keys_and_body():
    keys, body = split_front_matter('---\ntitle: "A: an act"\nfrom: 2024-01-31\n---\n# A\n')
    assert keys == {"title": "A: an act", "from": "2024-01-31"}
    assert body == "# A\n"


def test_a_file_without_front_matter_is_all_body():
    assert split_front_matter("# A\n---\nno: keys\n---\n") == ({}, "# A\n---\nno: keys\n---\n")


def test_a_badly_quoted_line_stops_nothing():
    assert split_front_matter('---\ntitle: "half\nday: 1\n---\nx').keys == {"title": "half", "day": "1"}
