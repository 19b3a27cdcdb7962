"""fairstep: decision policies that are fair between groups at every step."""
