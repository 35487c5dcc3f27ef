from pathlib import Path

import jsonschema
import pytest
import yaml

from inforce.config.schema import KINDS, main, schema_text

CONFIG = Path(__file__).parents[2] / "config"


@pytest.mark.parametrize("name", KINDS)
def test_schemas_are_in_step_with_the_models(name):
    fix = "run: PYTHONPATH=scripts .venv/bin/python -m inforce.config.schema --folder config/schemas"
    assert (CONFIG / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8") == schema_text(KINDS[name]), fix


def test_a_schema_refuses_what_the_model_refuses():
    values = yaml.safe_load((CONFIG / "protocols" / "demo.yaml").read_text(encoding="utf-8"))
    schema = KINDS["protocol"].model_json_schema()
    jsonschema.validate(values, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**values, "sampels": 1}, schema)


def test_the_command_writes_every_kind(tmp_path):
    main(["--folder", str(tmp_path)])
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(f"{name}.schema.json" for name in KINDS)
