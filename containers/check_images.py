"""Refuse an image that is missing, is another one, or was built from other requirements than those at hand.

The workflow calls this for each image that its jobs name before it submits anything, when images are in use. A file of
known size and time is not read again: its sha256 is kept in .cache/images.json, since gigabytes take a while.
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

LOCK = "containers/images.lock"
CACHE = ".cache/images.json"


class ImageError(Exception):
    """An image that cannot be used, with what to do about it."""


def sha256_of(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def copied_files(definition: Path) -> list[str]:
    """Files of the project that a definition copies into its image (its %files section), in order of name."""
    section = re.search(r"^%files\s*\n(.*?)(?=^%|\Z)", definition.read_text(encoding="utf-8"), re.M | re.S)
    lines = [line.split() for line in section[1].splitlines()] if section else []
    return sorted(words[0] for words in lines if words and not words[0].startswith("#"))


def recipe(name: str, root: Path) -> dict[str, Any]:
    """What an image is built from: {definition: sha256 of the .def and what it copies, requirements: {lock file: sha256}}."""
    definition = root / "containers" / f"{name}.def"
    if not definition.is_file():
        known = ", ".join(sorted(path.stem for path in (root / "containers").glob("*.def")))
        raise ImageError(f"there is no image {name}: containers/{name}.def does not exist (there are {known})")
    copied = copied_files(definition)
    digest = hashlib.sha256()
    for path in [definition, *(root / file for file in copied if not file.startswith("envs/"))]:
        digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    return {"definition": digest.hexdigest(), "requirements": {file: sha256_of(root / file) for file in copied if file.startswith("envs/")}}


def read_lock(root: Path) -> dict[str, dict[str, Any]]:
    """images.lock, {} where there is none."""
    path = root / LOCK
    return (yaml.safe_load(path.read_text(encoding="utf-8")) or {}) if path.is_file() else {}


def cached_sha256(path: Path, root: Path) -> str:
    """sha256 of an image, read again only if its size or time is new. A cache that cannot be read or written costs time only."""
    stat = path.stat()
    key, now = str(path.resolve()), [stat.st_size, stat.st_mtime_ns]
    try:
        cache = json.loads((root / CACHE).read_text(encoding="utf-8"))
        known = cache[key]
        if known[:2] == now:
            return str(known[2])
    except (OSError, ValueError, LookupError, TypeError):
        cache = {}
    digest = sha256_of(path)
    try:
        (root / CACHE).parent.mkdir(exist_ok=True)
        # jobs may write at once: each its own file, then renamed
        partial = root / f"{CACHE}.{os.getpid()}"
        partial.write_text(json.dumps({**(cache if isinstance(cache, dict) else {}), key: [*now, digest]}), encoding="utf-8")
        partial.replace(root / CACHE)
    except OSError:
        pass
    return digest


def image_file(name: str, root: Path) -> str:
    """Path of an image below `root`, as images.lock names it, after it was found to be that image.

    Raises:
        ImageError: no lock, no such image, no such file, another file, or a definition or requirement lock that has changed since.
    """
    build = f"`python containers/build_images.py {name}`"
    lock = read_lock(root)
    if name not in lock:
        raise ImageError(f"{LOCK} names no image {name}: build it with {build}, or start without --sdm apptainer")
    entry, now = lock[name], recipe(name, root)
    changed = [f"containers/{name}.def or a file that it copies"] if entry["definition"] != now["definition"] else []
    files = sorted({*entry["requirements"], *now["requirements"]})
    changed += [file for file in files if entry["requirements"].get(file) != now["requirements"].get(file)]
    if changed:
        raise ImageError(
            f"{entry['file']} was built before {', '.join(changed)} changed: build it anew with {build}; "
            f"to repeat results made with it, check out the commit whose {LOCK} and envs/ name it"
        )
    path = root / entry["file"]
    want = f"the file of sha256 {entry['sha256']} ({entry['size'] / 2**20:.0f} MiB)"
    if not path.is_file():
        raise ImageError(
            f"{entry['file']} is not here: put {want} there, from whoever published the results, "
            f"or build an image of your own with {build}, which writes it into {LOCK}"
        )
    found = cached_sha256(path, root) if path.stat().st_size == entry["size"] else None
    if found != entry["sha256"]:
        told = f"its sha256 is {found}" if found else f"it has {path.stat().st_size} bytes instead of {entry['size']}"
        raise ImageError(
            f"{entry['file']} is not the image that {LOCK} names: {told}. Remove it and put {want} there, "
            f"or build an image of your own with {build}, which writes it into {LOCK}"
        )
    return str(entry["file"])


def check_images(names: Iterable[str], root: Path) -> list[str]:
    """What is wrong with these images, a sentence each; [] if all can be used."""
    wrong = []
    for name in names:
        try:
            image_file(name, root)
        except ImageError as error:
            wrong.append(f"{name}: {error}")
    return wrong


def main(arguments: list[str] | None = None) -> None:
    """Check images by name; without a name, all that images.lock names."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="example: python containers/check_images.py cpu", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("images", nargs="*", help="names such as cpu; all of images.lock without one")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the project")
    options = parser.parse_args(arguments)
    names = options.images or list(read_lock(options.root))
    wrong = check_images(names, options.root)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(names)} images are those of {LOCK}")


if __name__ == "__main__":
    main()
