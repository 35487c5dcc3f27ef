"""Search among dated law: vectors of section versions, an index over them, and the search tool with its date filter."""
