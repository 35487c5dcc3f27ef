"""Build images from their definitions and write containers/images.lock.

Needs Apptainer and, for the images that start from Debian, debootstrap. Nothing is fetched from inside an image: the locked packages come
by this machine's own pip, every hash checked, and Debian's from the mirror in this machine's apt sources; proxies and certificates are
this machine's. Root is not needed where user namespaces are allowed.

The image's file system is packed in fixed order with fixed times, and times and ids in the SIF header are fixed as well, so that equal
inputs give equal bytes.
"""

import argparse
import atexit
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parent))
from check_images import LOCK, ImageError, copied_files, image_file, read_lock, recipe, sha256_of

# Every file in an image bears this time: 2024-01-01.
EPOCH = 1704067200
NOTE = """\
# Written by containers/build_images.py: which image files the rules run in, and what each was built from. See containers/README.md.
"""


def say(text: str) -> None:
    """A line for whoever waits."""
    print(text, file=sys.stderr, flush=True)


def run(*command: str | Path, **options: Any) -> None:
    """Run a command; an error names it and shows the end of what it said."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise ImageError(f"{' '.join(map(str, command[:4]))} … failed:\n" + "\n".join(done.stdout.splitlines()[-25:]))


def mirror_of_this_machine() -> str:
    """The Debian mirror in the machine's apt sources."""
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    try:
        listed = subprocess.run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], capture_output=True, text=True)
        rows = [line.split() for line in listed.stdout.splitlines()]
    except FileNotFoundError:
        rows = []
    for row in rows:
        if row[1:] == ["bookworm", "main"]:
            return row[0].rstrip("/")
    raise ImageError("no mirror of Debian 12 in this machine's apt sources: name one with --mirror")


def platform_options(definition: Path) -> list[str]:
    """pip's options for an image whose Python is not Debian 12's: its definition has the label `python`."""
    label = re.search(r"^\s+python (3\.\d+)$", definition.read_text(encoding="utf-8"), re.M)
    if not label:
        return []
    kinds = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
    return ["--only-binary=:all:", "--python-version", label[1], *(word for kind in kinds for word in ("--platform", kind))]


def wheels(requirements: list[str], root: Path, name: str) -> Path:
    """Folder of the locked packages, every hash checked by pip. torch's own CPU build where it is found, else the index's (see envs/)."""
    folder = root / ".cache" / "wheels" / name
    stamp, now = folder / "complete", "".join(sha256_of(root / file) for file in requirements)
    if stamp.is_file() and stamp.read_text() == now:
        return folder
    # packages of another lock are not left beside those of this one
    if stamp.is_file():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def fetch(file: str) -> None:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps", "--dest", folder)
        run(*pip, *platform_options(root / "containers" / f"{name}.def"), "-r", root / file)

    for file in requirements:
        if file == "envs/torch-index.txt":
            continue
        try:
            fetch(file)
        except ImageError:
            if file != "envs/torch-cpu.txt" or "envs/torch-index.txt" not in requirements:
                raise
            say("  no CPU build of torch was found; taking the index's own, some 3 GB")
            fetch("envs/torch-index.txt")
    stamp.write_text(now)
    return folder


def namespace_options() -> list[str]:
    """--fakeroot unless this is a root with all capabilities: Apptainer refuses to drop what it does not have."""
    if os.geteuid() == 0:
        fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        last = int(Path("/proc/sys/kernel/cap_last_cap").read_text())
        if int(fields["CapEff"], 16) == (1 << (last + 1)) - 1:
            return []
    return ["--fakeroot"]


def client() -> Any:
    """The spython client, told that its program is called apptainer here."""
    try:
        from spython.main import Client
    except ImportError as error:
        raise ImageError("spython is not installed: run envs/make_venv.sh test, or install envs/cluster.txt") from error
    apptainer = shutil.which("apptainer")
    if not apptainer:
        raise ImageError(
            "apptainer is not in PATH: ask the site for Apptainer 1.4 or later (tests/cluster/install_apptainer.sh sets it up on Debian)"
        )
    if not shutil.which("singularity"):
        # spython calls Apptainer by its older name, which not every site keeps
        alias = Path(tempfile.mkdtemp(prefix="apptainer-alias-"))
        atexit.register(shutil.rmtree, alias, ignore_errors=True)
        (alias / "singularity").symlink_to(apptainer)
        os.environ["PATH"] = f"{alias}{os.pathsep}{os.environ['PATH']}"
    # a build that fails must show why: with --quiet Apptainer hides what %post said
    Client.quiet = False
    return Client


def fix_times(sif: Path) -> None:
    """Take the random id, the times and the owner out of a SIF header and its descriptors (layout: SIF specification, version 1)."""
    with sif.open("r+b") as handle:
        head = handle.read(128)
        if head[32:41] != b"SIF_MAGIC":
            raise ImageError(f"{sif} is no SIF file")
        _free, total, start, size = struct.unpack_from("<4q", head, 80)
        # `sif new` leaves out the line by which an image starts as a program
        handle.seek(0)
        handle.write(b"#!/usr/bin/env run-singularity\n".ljust(32, b"\0"))
        handle.seek(48)
        handle.write(bytes(16) + struct.pack("<2q", EPOCH, EPOCH))
        step = size // total if total else 585
        for number in range(total):
            at = start + number * step
            handle.seek(at)
            if handle.read(5)[4:] == b"\x01":
                handle.seek(at + 41)
                handle.write(struct.pack("<4q", EPOCH, EPOCH, 0, 0))


def pack(box: Path, image: Path) -> None:
    """Pack a root file system as a SIF image: squashfs in fixed order, with fixed times, owned by root."""
    squash = image.with_suffix(".squashfs")
    squash.unlink(missing_ok=True)
    fixed = ("-mkfs-time", EPOCH, "-all-time", EPOCH, "-all-root", "-no-xattrs", "-noappend", "-no-progress")
    # mksquashfs takes times from its options or from this variable, not from both
    quiet = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    run("mksquashfs", box, squash, "-comp", "zstd", "-Xcompression-level", "3", "-b", "1M", *map(str, fixed), env=quiet)
    run("apptainer", "sif", "new", image)
    # one partition (4) that holds the primary system (2) as squashfs (1) for amd64 (2)
    kind = "--datatype 4 --parttype 2 --partfs 1 --partarch 2 --groupid 1 --filename root"
    run("apptainer", "sif", "add", *kind.split(), image, squash)
    squash.unlink()
    fix_times(image)


# What differs from build to build or names the build machine, and what nobody reads in an image. Below the image's root.
EMPTIED: tuple[str, ...] = (
    "tmp",
    "var/tmp",
    "var/log",
    "var/cache/apt",
    "var/cache/debconf",
    "var/cache/ldconfig",
    "var/lib/apt/lists",
    "root/.cache",
)
EMPTIED += ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale")
REMOVED = (
    "etc/apt/sources.list",
    "etc/passwd-",
    "etc/group-",
    "etc/shadow-",
    "etc/gshadow-",
    "var/lib/dpkg/status-old",
    "var/lib/dpkg/diversions-old",
)
BLANK = ("etc/machine-id", "etc/hostname", "etc/resolv.conf", "etc/hosts")


def inside(box: Path, name: str) -> Path | None:
    """A path of the image, or None where it is not there. One that a link leads out of the image is refused: it is the host's."""
    path = box / name
    if not path.resolve().is_relative_to(box.resolve()) or path.is_symlink():
        raise ImageError(f"/{name} of the image is a link or leads out of it: nothing there is touched")
    return path if path.exists() else None


def tidy(box: Path) -> None:
    """Empty and remove what does not belong in an image. Done on the finished root file system, when nothing of the host is bound into it."""
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    if any(Path(point).is_relative_to(box.resolve()) for point in mounted):
        raise ImageError(f"something is still mounted below {box}: nothing there is touched")
    for name in EMPTIED:
        folder = inside(box, name)
        for path in sorted(folder.iterdir()) if folder else []:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    for name in REMOVED:
        if file := inside(box, name):
            file.unlink()
    for name in BLANK:
        if file := inside(box, name):
            file.write_text("")


def label(box: Path, definition: Path, made_from: dict[str, Any], version: str) -> None:
    """Put the definition as written and what it was built from in the place of Apptainer's record, which names day, host and mirror."""
    inner = box / ".singularity.d"
    (inner / "Singularity").write_bytes(definition.read_bytes())
    labels = {
        "inforce.definition": made_from["definition"],
        "inforce.requirements": made_from["requirements"],
        "inforce.apptainer": version,
    }
    (inner / "labels.json").write_text(json.dumps(labels, indent=1, sort_keys=True) + "\n")


def build(name: str, root: Path, mirror: str | None, build_args: list[str]) -> dict[str, Any]:
    """Build one image and return its entry for the lock."""
    definition, made_from = root / "containers" / f"{name}.def", recipe(name, root)
    started, spython = time.monotonic(), client()
    text = definition.read_text(encoding="utf-8")
    options = [*namespace_options(), "--sandbox", "--force", "--notest"]
    arguments = {"epoch": str(EPOCH)}
    if "Bootstrap: debootstrap" in text:
        if not shutil.which("debootstrap"):
            raise ImageError("debootstrap is not in PATH: install Debian's package of that name (other distributions have it too)")
        arguments["mirror"] = mirror or mirror_of_this_machine()
    arguments |= dict(argument.split("=", 1) for argument in build_args)
    for key, value in arguments.items():
        if f"{{{{ {key} }}}}" in text:
            options += ["--build-arg", f"{key}={value}"]
    requirements = [file for file in copied_files(definition) if file.startswith("envs/")]
    if requirements:
        say(f"{name}: fetching the locked packages")
        options += ["--bind", f"{wheels(requirements, root, name)}:/mnt"]
    version = subprocess.run(["apptainer", "--version"], capture_output=True, text=True).stdout.split()[-1]
    # a folder of the build machine's own /tmp may be too small, or may forbid what a root file system needs
    with tempfile.TemporaryDirectory(dir=root / ".cache", prefix=f"image-{name}-") as work:
        box, partial = Path(work) / "root", Path(work) / "image.sif"
        os.environ["APPTAINER_TMPDIR"] = work
        say(f"{name}: building")
        if spython.build(str(definition), str(box), sudo=False, options=options) is None:
            raise ImageError(f"building {name} failed: see Apptainer's messages above")
        tidy(box)
        label(box, definition, made_from, version)
        say(f"{name}: packing")
        pack(box, partial)
        digest = sha256_of(partial)
        file = f"containers/{name}-{digest[:12]}.sif"
        partial.chmod(0o644)
        partial.replace(root / file)
    size = (root / file).stat().st_size
    say(f"{name}: {file}, {size / 2**20:.0f} MiB, {time.monotonic() - started:.0f} s")
    return {"file": file, "sha256": digest, "size": size, **made_from, "apptainer": version}


def write_lock(root: Path, name: str, entry: dict[str, Any]) -> None:
    """Put an image's entry into images.lock; the others stay."""
    entries = {**read_lock(root), name: entry}
    partial = root / f"{LOCK}.partial"
    partial.write_text(NOTE + yaml.safe_dump(dict(sorted(entries.items())), sort_keys=False), encoding="utf-8")
    partial.replace(root / LOCK)


def main(arguments: list[str] | None = None) -> None:
    """Build the images named; one that is there already, from the same definition and requirements, is left."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="example: python containers/build_images.py cpu vllm-cpu",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("images", nargs="+", help="cpu, vllm, vllm-cpu: the definitions in containers/")
    parser.add_argument("--mirror", help="Debian mirror, for machines without one in their apt sources")
    parser.add_argument("--build-arg", action="append", default=[], metavar="KEY=VALUE", help="a value that the definition asks for")
    parser.add_argument("--again", action="store_true", help="build even what is there, and say whether the bytes are the same")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="folder of the project")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    # definitions name files relative to the project
    os.chdir(root)
    try:
        for name in options.images:
            listed = read_lock(root).get(name)
            before = listed if isinstance(listed, dict) else {}
            if before and not options.again:
                try:
                    say(f"{name}: {image_file(name, root)} is there already")
                    continue
                except ImageError as error:
                    say(f"{name}: {error}")
            entry = build(name, root, options.mirror, options.build_arg)
            write_lock(root, name, entry)
            if before.get("definition") == entry["definition"] and before.get("requirements") == entry["requirements"]:
                say(
                    f"{name}: the same bytes as before"
                    if before.get("sha256") == entry["sha256"]
                    else f"{name}: other bytes than {before.get('file')}"
                )
    except ImageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
