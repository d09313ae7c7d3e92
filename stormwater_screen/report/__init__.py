"""Reports: one page per site that a planning board can file, and an index of all."""
