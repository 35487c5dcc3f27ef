"""Images, for real: built, run in, and refused when they are not the ones named."""

import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import build_images
import check_images
import pytest
import yaml
from conftest_graph import Checkout

ROOT = Path(__file__).parents[2]

# The part of the default run that asks no model.
MODEL_FREE = [
    "results/corpus/demo/sections.parquet",
    "results/corpus/demo/decisions.jsonl",
    "results/items/demo/items.jsonl",
]


@pytest.fixture
def project(tmp_path):
    """A small project with one image that was built from one definition, one script and one requirement lock."""
    for folder in ("containers", "envs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "containers" / "tool.def").write_text(
        "Bootstrap: x\n%files\n    envs/tool.txt /a\n    containers/last.sh /b\n%post\n    true\n"
    )
    (tmp_path / "containers" / "last.sh").write_text("true\n")
    (tmp_path / "envs" / "tool.txt").write_text("package==1\n")
    image = tmp_path / "containers" / "tool-abc.sif"
    image.write_bytes(b"an image")
    digest = hashlib.sha256(b"an image").hexdigest()
    entry = {"file": "containers/tool-abc.sif", "sha256": digest, "size": 8, **check_images.recipe("tool", tmp_path)}
    build_images.write_lock(tmp_path, "tool", entry)
    return tmp_path


def refusal(project):
    with pytest.raises(check_images.ImageError) as caught:
        check_images.image_file("tool", project)
    return str(caught.value)


def test_the_image_of_the_lock_is_taken(project):
    assert check_images.image_file("tool", project) == "containers/tool-abc.sif"
    assert check_images.check_images(["tool"], project) == []


def test_a_missing_image_is_refused_with_the_ways_to_get_it(project):
    (project / "containers" / "tool-abc.sif").unlink()
    told = refusal(project)
    assert hashlib.sha256(b"an image").hexdigest() in told
    assert "python containers/build_images.py tool" in told


def test_another_image_under_the_same_name_is_refused_even_at_equal_size(project):
    check_images.image_file("tool", project)
    image = project / "containers" / "tool-abc.sif"
    image.write_bytes(b"an imagE")
    os.utime(image, ns=(1, 1))
    assert f"its sha256 is {hashlib.sha256(b'an imagE').hexdigest()}" in refusal(project)
    image.write_bytes(b"half")
    assert "it has 4 bytes instead of 8" in refusal(project)


@pytest.mark.parametrize("file", ["containers/tool.def", "containers/last.sh", "envs/tool.txt"])
def test_an_image_older_than_what_it_is_built_from_is_refused(project, file):
    with (project / file).open("a") as handle:
        handle.write("# more\n")
    told = refusal(project)
    assert "build it anew" in told
    assert ("envs/tool.txt" in told) == (file == "envs/tool.txt")


def test_no_lock_and_an_unknown_image_are_refused(project):
    assert check_images.check_images(["other"], project)[0].startswith("other: containers/images.lock names no image other")
    (project / "containers" / "images.lock").unlink()
    assert "names no image tool" in refusal(project)


def test_an_image_is_read_once_and_again_when_its_time_is_new(project, monkeypatch):
    check_images.image_file("tool", project)
    monkeypatch.setattr(
        check_images, "sha256_of", lambda path: "read again" if path.suffix == ".sif" else hashlib.sha256(path.read_bytes()).hexdigest()
    )
    assert check_images.image_file("tool", project)
    os.utime(project / "containers" / "tool-abc.sif", ns=(1, 1))
    assert "read again" in refusal(project)


def test_a_spoilt_cache_costs_time_only(project):
    (project / ".cache").mkdir(exist_ok=True)
    (project / ".cache" / "images.json").write_text('{"x": ')
    assert check_images.image_file("tool", project)
    (project / ".cache" / "images.json").write_text("[]")
    assert check_images.image_file("tool", project)


def test_definitions_copy_files_that_exist_and_name_no_mirror():
    definitions = sorted((ROOT / "containers").glob("*.def"))
    assert [path.stem for path in definitions] == ["cpu", "vllm-cpu", "vllm"]
    for path in definitions:
        for file in check_images.copied_files(path):
            assert (ROOT / file).is_file(), file
        assert "http" not in path.read_text()


def test_nothing_is_removed_or_changed_while_the_host_s_folders_may_be_bound():
    """Apptainer binds the host's /tmp in %post: `rm -rf /tmp/*` there empties the host's."""
    for path in [*(ROOT / "containers").glob("*.def"), *(ROOT / "containers").glob("*.sh")]:
        lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
        harm = [line for line in lines if re.search(r"\b(rm|rmdir|mv|chmod|chown|unlink|truncate|dd)\b|-delete|rmtree|(?<!-)>\s*/", line)]
        assert harm == [], path


def test_an_image_is_tidied_without_following_links_out_of_it(tmp_path):
    box, host = tmp_path / "box", tmp_path / "host"
    for folder in ("tmp/in", "var/log", "etc", "usr/share/doc/a"):
        (box / folder).mkdir(parents=True)
    host.mkdir()
    (host / "kept").write_text("kept")
    (box / "tmp" / "link").symlink_to(host)
    (box / "tmp" / "in" / "link").symlink_to(host)
    (box / "etc" / "hostname").write_text("builder")
    build_images.tidy(box)
    assert list((box / "tmp").iterdir()) == []
    assert list((box / "usr" / "share" / "doc").iterdir()) == []
    assert (box / "etc" / "hostname").read_text() == ""
    assert (host / "kept").read_text() == "kept"
    # the folder itself is a link to the host's: refused, nothing touched
    (box / "var" / "log").rmdir()
    (box / "var" / "log").symlink_to(host)
    with pytest.raises(check_images.ImageError, match="nothing there is touched"):
        build_images.tidy(box)
    assert (host / "kept").read_text() == "kept"


def test_the_gpu_image_is_not_built_from_a_movable_tag():
    text = (ROOT / "containers" / "vllm.def").read_text()
    assert "From: vllm/vllm-openai@{{ digest }}" in text


def test_packages_are_fetched_for_the_python_that_the_image_holds():
    """Debian 12's is this one; the official engine's is another."""
    options = {name: build_images.platform_options(ROOT / "containers" / f"{name}.def") for name in ("cpu", "vllm-cpu", "vllm")}
    assert options["cpu"] == options["vllm-cpu"] == []
    assert options["vllm"][:3] == ["--only-binary=:all:", "--python-version", "3.12"]


def test_the_program_says_what_is_wrong(project):
    (project / "containers" / "tool-abc.sif").unlink()
    command = [sys.executable, str(ROOT / "containers" / "check_images.py"), "--root", str(project)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("tool: containers/tool-abc.sif is not here")


def write_entry(project, **changes):
    """The lock with an entry changed by hand; null = the field is left out."""
    entry = {**check_images.read_lock(project)["tool"], **changes}
    lines = {"tool": {key: value for key, value in entry.items() if value is not None}}
    (project / "containers" / "images.lock").write_text(yaml.safe_dump(lines))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        *[({field: None}, f"no usable {field} for image tool") for field in ("file", "sha256", "size", "definition", "requirements")],
        ({"size": "8"}, "no usable size for image tool"),
        ({"requirements": ["envs/tool.txt"]}, "no usable requirements for image tool"),
        ({"file": "../tool-abc.sif"}, "which is no .sif file in containers/"),
        ({"file": "containers/../x/tool-abc.sif"}, "which is no .sif file in containers/"),
        ({"file": "/tmp/tool-abc.sif"}, "which is no .sif file in containers/"),
    ],
)
def test_a_lock_written_by_hand_is_refused_in_a_sentence(project, changes, says):
    write_entry(project, **changes)
    assert says in refusal(project)
    (wrong,) = check_images.check_images(["tool"], project)
    assert wrong.startswith("tool: ")
    assert check_images.image_name("tool", project) == "containers/tool.sif"


@pytest.mark.parametrize(
    ("lock", "says"),
    [
        ("tool: [1]\n", "has no fields for image tool"),
        ("tool:\n", "has no fields for image tool"),
        ("- tool\n", "does not hold images by name"),
        ("words", "does not hold images by name"),
        ("1: {}\n", "does not hold images by name"),
        ("a: [\n", "cannot be read"),
        ("", "names no image tool"),
    ],
)
def test_a_lock_without_entries_is_refused_in_a_sentence(project, lock, says):
    (project / "containers" / "images.lock").write_text(lock)
    assert says in refusal(project)


def program(project, *names):
    command = [sys.executable, str(ROOT / "containers" / "check_images.py"), "--root", str(project), *names]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("lock", [None, "", "{}\n"])
def test_where_the_lock_names_none_the_program_says_that_none_was_checked(project, lock):
    path = project / "containers" / "images.lock"
    path.unlink() if lock is None else path.write_text(lock)
    done = program(project)
    assert (done.returncode, done.stdout) == (0, "containers/images.lock names no image: no image was asked for and none was checked\n")
    asked = program(project, "tool")
    assert asked.returncode == 1 and "names no image tool" in asked.stderr and "Traceback" not in asked.stderr


def test_the_program_has_no_traceback_for_a_lock_that_is_none(project):
    (project / "containers" / "images.lock").write_text("- tool\n")
    done = program(project)
    assert done.returncode == 1 and done.stderr.startswith("containers/images.lock does not hold images by name")


def sif(identity, created, times, used):
    """A SIF header with one descriptor, laid out by hand from the specification: 128 bytes, then 585 a descriptor."""
    head = b"#!/usr/bin/env run-singularity\n".ljust(32, b"\0") + b"SIF_MAGIC\0" + b"01\0" + b"02\0" + identity
    head += struct.pack("<2q", created, created) + struct.pack("<6q", 0, 1, 128, 585, 713, 4)
    descriptor = (
        struct.pack("<i?3I3q", 0x4004, used, 1, 1, 0, 713, 4, 4) + struct.pack("<2q", times, times) + struct.pack("<2q", 1000, 1000)
    )
    return head + descriptor.ljust(585, b"n") + b"data"


def test_id_times_and_owner_are_taken_out_of_a_sif_header_and_nothing_else(tmp_path):
    first, second = tmp_path / "1.sif", tmp_path / "2.sif"
    first.write_bytes(sif(b"a" * 16, 1, 2, True))
    second.write_bytes(sif(b"b" * 16, 3, 4, True))
    for file in (first, second):
        build_images.fix_times(file)
    assert first.read_bytes() == second.read_bytes()
    expected = bytearray(sif(bytes(16), build_images.EPOCH, build_images.EPOCH, True))
    expected[128 + 57 : 128 + 73] = bytes(16)
    assert first.read_bytes() == bytes(expected)


def test_a_descriptor_that_is_not_in_use_is_left_and_another_file_is_refused(tmp_path):
    file = tmp_path / "1.sif"
    file.write_bytes(sif(b"a" * 16, 1, 2, False))
    build_images.fix_times(file)
    assert file.read_bytes()[128:] == sif(b"a" * 16, 1, 2, False)[128:]
    file.write_bytes(b"x" * 200)
    with pytest.raises(check_images.ImageError, match="is no SIF file"):
        build_images.fix_times(file)


@pytest.fixture(scope="module")
def in_image(cpu_image, tmp_path_factory):
    """The model-free part of the default run, made in the image."""
    checkout = Checkout.fresh(tmp_path_factory.mktemp("in_image"))
    cpu_image.put_in(checkout.folder)
    done = checkout.snakemake(*MODEL_FREE, "--sdm", "apptainer")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return checkout


@pytest.mark.cluster
def test_the_lock_names_the_image_by_its_digest(cpu_image):
    entry = cpu_image.entry
    assert entry["file"] == f"containers/cpu-{entry['sha256'][:12]}.sif"
    assert entry["sha256"] == check_images.sha256_of(cpu_image.path)
    assert entry["size"] == cpu_image.path.stat().st_size
    assert "envs/cpu.txt" in entry["requirements"]


@pytest.mark.cluster
def test_the_image_holds_the_locked_packages_and_nothing_of_the_build_machine(cpu_image, tmp_path):
    listed = cpu_image.run("python", "-m", "pip", "--isolated", "list", "--format", "freeze", cwd=tmp_path).stdout.lower().replace("_", "-")
    wanted = [line.split()[0] for line in (ROOT / "envs" / "cpu.txt").read_text().splitlines() if line[:1].isalnum()]
    assert len(wanted) > 80
    assert [name for name in wanted if name.lower().replace("_", "-") not in listed] == []
    mirror = build_images.mirror_of_this_machine().split("/")[2]
    found = cpu_image.run("grep", "-rlI", mirror, "/etc", "/.singularity.d", "/var", "/opt/requirements", cwd=tmp_path).stdout
    # apptainer binds the host's resolver
    assert found == ""


@pytest.mark.cluster
def test_nothing_of_the_host_can_be_imported_in_the_image(cpu_image, tmp_path):
    """A marker package in each place where the host's Python would look; outside the image the same places are seen."""
    work = tmp_path / "work"
    places = {
        "in_home": work / ".local" / "lib" / "python3.11" / "site-packages",
        "in_working_directory": work,
        "in_pythonpath": tmp_path / "elsewhere",
        "in_user_base": tmp_path / "base" / "lib" / "python3.11" / "site-packages",
        "in_venv": Path(sys.prefix) / "lib" / "python3.11" / "site-packages",
    }
    for marker, place in places.items():
        place.mkdir(parents=True, exist_ok=True)
        (place / f"marker_{marker}.py").write_text("")
    probe = "import importlib.util as u, sys; print([n for n in sys.argv[1:] if u.find_spec('marker_' + n)])"
    leaks = {"PYTHONPATH": str(tmp_path / "elsewhere"), "PYTHONUSERBASE": str(tmp_path / "base"), "VIRTUAL_ENV": sys.prefix}
    try:
        (work / "probe.py").write_text(probe)
        host = subprocess.run(
            [sys.executable, "-m", "probe", *places], cwd=work, env={**os.environ, **leaks}, capture_output=True, text=True
        ).stdout
        assert "in_pythonpath" in host
        assert "in_venv" in host
        inside = cpu_image.run("python", "-c", probe, *places, cwd=work, **leaks)
        assert inside.stdout == "[]\n", inside.stderr
        where = cpu_image.run("python", "-c", "import sys; print(*sys.path, sys.executable)", cwd=work, **leaks).stdout.split()
        assert all(path.startswith(("/opt/inforce", "/usr/lib/python3")) for path in where), where
    finally:
        (places["in_venv"] / "marker_in_venv.py").unlink()


@pytest.mark.cluster
def test_results_in_the_image_are_those_without_it_byte_for_byte(in_image, tmp_path):
    outside = Checkout.fresh(tmp_path)
    done = outside.snakemake(*MODEL_FREE)
    assert done.returncode == 0, done.stdout + done.stderr
    made = sorted(path.relative_to(outside.folder) for path in (outside.folder / "results").rglob("*") if path.is_file())
    assert len(made) >= 6
    for name in made:
        assert (in_image.folder / name).read_bytes() == (outside.folder / name).read_bytes(), name


@pytest.mark.cluster
def test_the_run_in_the_image_used_the_image_s_python(in_image):
    done = in_image.snakemake(MODEL_FREE[0], "-n", "-p", "--forceall", "--sdm", "apptainer")
    commands = [line for line in done.stdout.splitlines() if "python -m inforce." in line]
    assert commands
    assert all(".venv" not in line for line in commands)


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda folder, entry: (folder / entry["file"]).unlink(), "is not here: put the file of sha256"),
        (lambda folder, entry: (folder / "envs" / "cpu.txt").open("a").write("# more\n"), "was built before envs/cpu.txt changed"),
        (lambda folder, entry: (folder / "containers" / "images.lock").unlink(), "names no image cpu"),
    ],
    ids=["missing", "stale", "no lock"],
)
def test_a_run_is_refused_before_anything_is_submitted(cpu_image, tmp_path, harm, told):
    checkout = Checkout.fresh(tmp_path)
    cpu_image.put_in(checkout.folder)
    harm(checkout.folder, cpu_image.entry)
    done = checkout.snakemake(*MODEL_FREE, "--sdm", "apptainer")
    assert done.returncode != 0
    assert "Images refused, nothing was run." in done.stdout + done.stderr
    assert told in done.stdout + done.stderr
    assert not (checkout.folder / "results").exists()


@pytest.mark.cluster
def test_another_file_under_the_image_s_name_is_refused(cpu_image, tmp_path):
    checkout = Checkout.fresh(tmp_path)
    cpu_image.put_in(checkout.folder)
    target = checkout.folder / cpu_image.entry["file"]
    target.unlink()
    shutil.copyfile(cpu_image.path, target)
    with target.open("r+b") as handle:
        handle.seek(cpu_image.entry["size"] // 2)
        byte = handle.read(1)
        handle.seek(-1, 1)
        handle.write(bytes([byte[0] ^ 1]))
    done = checkout.snakemake(*MODEL_FREE, "--sdm", "apptainer")
    assert done.returncode != 0
    assert "is not the image that containers/images.lock names: its sha256 is" in done.stdout + done.stderr


@pytest.mark.cluster
def test_what_is_built_already_is_not_built_again(cpu_image):
    command = [sys.executable, str(ROOT / "containers" / "build_images.py"), "cpu", "--root", str(cpu_image.workshop)]
    before = cpu_image.path.stat().st_mtime_ns
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0
    assert "is there already" in done.stderr
    assert cpu_image.path.stat().st_mtime_ns == before
    assert yaml.safe_load((cpu_image.workshop / "containers" / "images.lock").read_text())["cpu"] == cpu_image.entry
