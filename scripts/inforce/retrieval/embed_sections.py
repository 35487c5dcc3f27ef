"""Turn the text of every section version into a vector, once a jurisdiction and embedding model.

All versions are embedded: in force, superseded, repealed, not yet in force, and those whose start is unknown. Which of them a search may
return is decided by the index layer on the day asked for, never here. What is embedded is the text alone, without label or law name:
equal texts then have equal vectors wherever they stand, and each distinct text is embedded once.

Writes float32 vectors of length 1, shape (versions, d), as .npy, and the version_uri of each row in row order as JSON. The same texts
and model give the same bytes: one thread, texts in an order of their own (longest first, so that a batch pads little).
"""

from __future__ import annotations

import argparse
import io

import numpy as np

from inforce.config.load import ConfigError, read_config
from inforce.config.model import Embedding
from inforce.records.files import canonical_json, write_bytes, write_text
from inforce.records.progress import Progress
from inforce.records.tables import SECTIONS, read_rows
from inforce.retrieval.embedding import Embedder, EmbeddingUnavailableError, Vectors, open_embedding


def embed_texts(texts: list[str], embedder: Embedder, batch: int) -> Vectors:
    """Vectors of the texts in their order, shape (len(texts), d); each distinct text is embedded once.

    Raises ValueError if a vector has a value that is no number.
    """
    distinct = sorted(set(texts), key=lambda text: (-len(text), text))
    if not distinct:
        return np.zeros((0, embedder.passages([""]).shape[1]), np.float32)
    progress = Progress("distinct texts embedded", len(distinct))
    parts: list[Vectors] = []
    for start in range(0, len(distinct), batch):
        parts.append(embedder.passages(distinct[start : start + batch]))
        progress.step(len(parts[-1]))
    vectors = np.concatenate(parts)
    if not np.isfinite(vectors).all():
        raise ValueError("the embedding model gave vectors with values that are no numbers")
    row = {text: number for number, text in enumerate(distinct)}
    return vectors[[row[text] for text in texts]]


def unique_versions(rows: list[dict[str, object]]) -> list[str]:
    """The version_uri of each row. Raises ValueError if one stands twice: a vector would have two owners."""
    versions = [str(row["version_uri"]) for row in rows]
    seen: set[str] = set()
    for version in versions:
        if version in seen:
            raise ValueError(f"{version} stands twice")
        seen.add(version)
    return versions


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.retrieval.embed_sections --embedding-config config/embeddings/minilm.yaml "
        "--sections results/corpus/demo/sections.parquet --vectors results/retrieval/demo/minilm/vectors.npy "
        "--versions results/retrieval/demo/minilm/versions.json",
    )
    parser.add_argument("--embedding-config", required=True, help="config/embeddings/NAME.yaml")
    parser.add_argument("--sections", required=True, help="sections.parquet")
    parser.add_argument("--vectors", required=True, help="written: vectors.npy")
    parser.add_argument("--versions", required=True, help="written: versions.json")
    args = parser.parse_args(argv)
    try:
        config = read_config(args.embedding_config, Embedding)
        rows = read_rows(args.sections, SECTIONS)
        versions = unique_versions(rows)
        vectors = embed_texts([str(row["text"] or "") for row in rows], open_embedding(config, threads=1), config.texts_at_once)
    except (ConfigError, EmbeddingUnavailableError) as error:
        raise SystemExit(str(error)) from error
    except (OSError, ValueError) as error:
        raise SystemExit(f"{args.sections}: {error}") from error
    out = io.BytesIO()
    np.save(out, vectors)
    write_bytes(args.vectors, out.getvalue())
    write_text(args.versions, canonical_json(versions) + "\n")


if __name__ == "__main__":
    main()
