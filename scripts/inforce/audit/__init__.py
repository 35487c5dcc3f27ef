"""Where every result comes from, and whether it can be made again: manifest, audit, research object, release."""
