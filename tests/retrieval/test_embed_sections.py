import json
from pathlib import Path

import numpy as np
import pytest
from retrieval.book import SECTIONS, version

from inforce.records import tables
from inforce.retrieval.embed_sections import embed_texts, main, unique_versions

CONFIG = Path(__file__).parents[2] / "config" / "embeddings" / "minilm.yaml"


class Lengths:
    """Stands for a model: a text's vector is its length, and what was asked is kept."""

    def __init__(self):
        self.asked = []

    def passages(self, texts):
        self.asked += texts
        return np.array([[len(text)] for text in texts], dtype=np.float32)

    queries = passages


def test_each_distinct_text_is_embedded_once_longest_first_and_rows_keep_their_order():
    model = Lengths()
    assert embed_texts(["bb", "a", "bb", "ccc"], model, batch=2).tolist() == [[2], [1], [2], [3]]
    assert model.asked == ["ccc", "bb", "a"]


def test_no_texts_give_no_rows_of_the_model_s_width():
    assert embed_texts([], Lengths(), batch=2).shape == (0, 1)


def test_a_vector_that_is_no_number_is_refused():
    class Broken(Lengths):
        def passages(self, texts):
            return np.full((len(texts), 1), np.nan, np.float32)

    with pytest.raises(ValueError, match="no numbers"):
        embed_texts(["a"], Broken(), batch=1)


def test_a_version_that_stands_twice_is_refused():
    with pytest.raises(ValueError, match="section-1/v/1990-01-01 stands twice"):
        unique_versions([version("WAGE", "1", "1990-01-01", None, "a"), version("WAGE", "1", "1990-01-01", None, "b")])


def test_the_command_embeds_every_version_and_gives_the_same_bytes_again(tmp_path):
    tables.write_table(tmp_path / "s.parquet", SECTIONS, tables.SECTIONS)
    for name in ("a", "b"):
        main(
            [
                "--embedding-config",
                str(CONFIG),
                "--sections",
                str(tmp_path / "s.parquet"),
                "--vectors",
                str(tmp_path / f"{name}.npy"),
                "--versions",
                str(tmp_path / f"{name}.json"),
            ]
        )
    assert json.loads((tmp_path / "a.json").read_text()) == [
        row["version_uri"] for row in SECTIONS
    ]  # repealed, future and undated ones too
    vectors = np.load(tmp_path / "a.npy")
    assert (vectors.shape, vectors.dtype) == ((len(SECTIONS), 384), np.float32)
    for kind in ("npy", "json"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match=r"nothing.parquet"):
        main(["--embedding-config", str(CONFIG), "--sections", str(tmp_path / "nothing.parquet"), "--vectors", "v", "--versions", "w"])
    with pytest.raises(SystemExit, match=r"minilm.yaml"):
        main(["--embedding-config", str(CONFIG.with_name("minilmm.yaml")), "--sections", "s", "--vectors", "v", "--versions", "w"])
