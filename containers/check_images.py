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


def read_lock(root: Path) -> dict[str, Any]:
    """The entries of images.lock as they stand, {} where there is none. Raises ImageError for a file that holds no entries by name."""
    path = root / LOCK
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ImageError(f"{LOCK} cannot be read: {' '.join(str(error).split())}") from error
    if entries is not None and not (isinstance(entries, dict) and all(isinstance(name, str) for name in entries)):
        raise ImageError(
            f"{LOCK} does not hold images by name; remove it and build the images anew with `python containers/build_images.py`"
        )
    return entries or {}


def image_name(name: str, root: Path) -> str:
    """The file that rules name for an image: the lock's, or one that is not there where the lock has none that can be used."""
    try:
        return str(_entry(name, root)["file"])
    except ImageError:
        return f"containers/{name}.sif"


def _entry(name: str, root: Path) -> dict[str, Any]:
    """An image's entry with all its fields. Raises ImageError for one that is missing or was written by hand and is not whole."""
    build = f"`python containers/build_images.py {name}`"
    lock = read_lock(root)
    if name not in lock:
        raise ImageError(f"{LOCK} names no image {name}: build it with {build}, or start without --sdm apptainer")
    entry = lock[name]
    if not isinstance(entry, dict):
        raise ImageError(f"{LOCK} has no fields for image {name}: build it anew with {build}")
    kinds = {"file": str, "sha256": str, "size": int, "definition": str, "requirements": dict}
    if odd := [field for field, kind in kinds.items() if not isinstance(entry.get(field), kind)]:
        raise ImageError(f"{LOCK} has no usable {', '.join(odd)} for image {name}: build it anew with {build}")
    # a file elsewhere may be anybody's, and is not what is published with the results
    if not re.fullmatch(r"containers/[A-Za-z0-9_][A-Za-z0-9._-]*\.sif", entry["file"]):
        raise ImageError(f"{LOCK} names {entry['file']} for image {name}, which is no .sif file in containers/: build it anew with {build}")
    return entry


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
        ImageError: no lock, no such image, an entry that is not whole, no such file, another file, or a definition or requirement lock
            that has changed since.
    """
    build = f"`python containers/build_images.py {name}`"
    entry, now = _entry(name, root), recipe(name, root)
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
    try:
        names = options.images or list(read_lock(options.root))
    except ImageError as error:
        sys.exit(str(error))
    if not names:
        print(f"{LOCK} names no image: no image was asked for and none was checked")
        return
    wrong = check_images(names, options.root)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(names)} images are those of {LOCK}")


if __name__ == "__main__":
    main()
