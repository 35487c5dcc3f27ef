"""A key comes back in many spellings and is struck in all of them; a dummy key, and a reply without the key, stay as they are."""

import base64
import html
import json
from urllib.parse import quote

import pytest

from inforce.config.key import STRUCK, AccessError, Key, is_secret, public_address, read_address, read_key, without_user_info

SECRETS = ["sk-AB/cd+efGH==", "sk-proj-0123456789abcdef", "a\"b\\c%2Fd&e'f<g>1", "0123456789012345", "AbCdEf/+/+/+", "x/y+z=" * 8]
SPELLINGS = {
    "plain": lambda key: key,
    "slash": lambda key: key.replace("/", "\\/"),
    "hex": lambda key: "".join(f"\\u{ord(letter):04X}" for letter in key),
    "some hex": lambda key: "".join(letter if letter.isalnum() else f"\\u{ord(letter):04x}" for letter in key),
    "json": lambda key: json.dumps(key)[1:-1],
    "json in json": lambda key: json.dumps(json.dumps(key.replace("/", "\\/")))[1:-1],
    "python": lambda key: "".join(f"\\x{ord(letter):02x}" for letter in key),
    "url": lambda key: quote(key, safe=""),
    "url in lower case": lambda key: "".join(letter if letter.isalnum() else f"%{ord(letter):02x}" for letter in key),
    "url twice": lambda key: quote(quote(key, safe=""), safe=""),
    "url in json": lambda key: json.dumps(quote(key, safe="/")).replace("/", "\\/")[1:-1],
    "html": html.escape,
    "html by number": lambda key: "".join(letter if letter.isalnum() else f"&#{ord(letter)};" for letter in key),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of a header": lambda key: base64.b64encode(f"Bearer {key}\n".encode()).decode(),
    "base64 of a user": lambda key: base64.b64encode(f"me:{key}".encode()).decode(),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(f"k{key}".encode()).decode(),
    "base64 in json": lambda key: base64.b64encode(key.encode()).decode().replace("/", "\\/"),
}


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("text", SECRETS)
def test_a_key_is_found_and_struck_in_every_spelling(text, spell):
    key, spelled = Key(text), spell(text)
    said = f"Incorrect API key provided: {spelled}. See § 12."
    assert key.held_by(said) and key.held_by(json.dumps({"error": {"message": said}}))
    struck = key.struck(said)
    assert STRUCK in struck and spelled not in struck and not key.held_by(struck)
    assert struck.startswith("Incorrect API key provided: ") and struck.endswith(" See § 12.")
    value = {"error": {"message": said, spelled: [said, {"deep": (inner := [said])}], "code": 400, "ok": None, "flag": True}}
    cleaned = key.struck(value)
    assert not key.held_by(json.dumps(cleaned)) and not key.held_by(json.dumps(cleaned, ensure_ascii=False))
    assert cleaned["error"]["code"] == 400 and cleaned["error"]["ok"] is None and cleaned["error"]["flag"] is True
    assert inner == [said], "the value given is not changed"


def test_a_key_of_digits_is_struck_as_a_number_too():
    assert Key("1234567890123456").struck({"id": 1234567890123456, "n": 3, "x": 0.5}) == {"id": STRUCK, "n": 3, "x": 0.5}


def test_what_no_pattern_finds_goes_as_a_whole():
    key = Key("sk-AB/cd+efGH==")
    spelled = "".join(f"\\u00{ord(letter):02x}" for letter in quote(key.text, safe=""))  # percent-encoded, then escaped letter by letter
    assert key.held_by(spelled) and key.struck([f"said {spelled}", "kept"]) == [STRUCK, "kept"]


@pytest.mark.parametrize("text", ["local", "none", "test", "EMPTY", "message", "sk-1", "not-applicable", "no-key-required", "x" * 15])
def test_a_dummy_key_is_struck_nowhere_in_an_answer_and_as_a_whole_word_in_an_error(text):
    key = Key(text)
    value = {"choices": [{"message": {"content": f"The {text} court, {text}ly."}}], text: text}
    assert not key.is_secret and key.struck(value) is value and not key.held_by(text)
    error = {"error": {text: f"Incorrect key: {text}, not {text}ly or a{text}", "code": 7}}
    assert key.struck_of_error(error) == {"error": {text: f"Incorrect key: [key], not {text}ly or a{text}", "code": 7}}


@pytest.mark.parametrize("text", ["x" * 16, "token-abc123", "AbCdEfGhIjKl", "sk-no-key-required-at-all"])
def test_a_long_or_mixed_key_is_a_secret(text):
    assert is_secret(text) and Key(text).struck_of_error(f"a{text}b") == f"a{STRUCK}b"


def test_a_reply_without_the_key_is_left_alone():
    reply = {"choices": [{"message": {"content": '{"a": "50 % \\u00a7 \\/ &amp; %2F sk-AB/cd+efGH="}'}}], "usage": {"n": 1}}
    key = Key("sk-AB/cd+efGH==")
    assert not key.held_by(json.dumps(reply)) and key.struck(reply) == reply


def test_a_key_does_not_show_itself():
    assert "sk-" not in repr(Key("sk-AB/cd+efGH==")) + str([Key("sk-AB/cd+efGH==")])


def test_a_key_is_read_from_the_variable_named(monkeypatch):
    assert read_key(None) is None
    monkeypatch.setenv("INFORCE_TEST_KEY", " sk-AB/cd+efGH==\n")
    assert read_key("INFORCE_TEST_KEY").text == "sk-AB/cd+efGH=="
    monkeypatch.delenv("INFORCE_TEST_KEY")
    with pytest.raises(AccessError, match="variable INFORCE_TEST_KEY is not set"):
        read_key("INFORCE_TEST_KEY")


@pytest.mark.parametrize("text", ["sk-one\nsk-two", "sk-one\r\nX-Other: 1", "Bearer sk-one", "sk-onе", "sk\tone"])
def test_a_key_that_cannot_be_sent_is_told_by_its_variable(monkeypatch, text):
    monkeypatch.setenv("INFORCE_TEST_KEY", text)
    with pytest.raises(AccessError, match="variable INFORCE_TEST_KEY cannot be sent as a key") as caught:
        read_key("INFORCE_TEST_KEY")
    assert "one" not in str(caught.value).replace("or another character that no key has; it should hold the key alone", "")


def test_an_address_is_given_or_read_from_the_variable_named(monkeypatch):
    monkeypatch.setenv("INFORCE_TEST_URL", "https://other.example/v1/ ")
    assert read_address("http://localhost:8000/v1/", "INFORCE_TEST_URL") == "http://localhost:8000/v1"
    assert read_address(None, "INFORCE_TEST_URL") == "https://other.example/v1"
    monkeypatch.delenv("INFORCE_TEST_URL")
    with pytest.raises(AccessError, match="variable INFORCE_TEST_URL is not set"):
        read_address(None, "INFORCE_TEST_URL")
    with pytest.raises(AccessError, match="no base_url is given"):
        read_address(None, None)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("sk-SECRET", "should begin with http"),
        ("ftp://SECRET.example", "should begin with http"),
        ("https:///SECRET", "should begin with http"),
        ("http://[SECRET", "should begin with http"),
        ("http://host:SECRET/v1", "should begin with http"),
        ("https://me:SECRET@llm.example/v1", "holds a user or a password"),
        ("https://SECRET@llm.example/v1", "holds a user or a password"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_by_its_variable(monkeypatch, address, said):
    monkeypatch.setenv("INFORCE_TEST_URL", address)
    for given, variable, name in ((address, None, "base_url"), (None, "INFORCE_TEST_URL", "INFORCE_TEST_URL")):
        with pytest.raises(AccessError, match=said) as caught:
            read_address(given, variable)
        assert name in str(caught.value) and "SECRET" not in str(caught.value)


def test_words_about_addresses_keep_no_password():
    said = "no route to https://me:pass@mirror.example/x, or http://other.example/a@b"
    assert without_user_info(said) == "no route to https://mirror.example/x, or http://other.example/a@b"


def test_an_address_is_printed_without_what_may_be_secret():
    assert public_address("https://me:pass@llm.example:8/v1?key=abc#x") == "https://llm.example:8/v1"
