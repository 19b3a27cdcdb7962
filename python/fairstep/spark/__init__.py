"""Counts of logs that one machine cannot hold, by Apache Spark: the same bytes as `fairstep count` writes."""
