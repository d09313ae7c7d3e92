"""A screening in partitions on several processes or machines, with the answers of one run."""
