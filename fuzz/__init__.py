"""Coverage-guided fuzzing of the core: `make fuzz`. What it finds is written to `found/`, and is a test from then on."""
