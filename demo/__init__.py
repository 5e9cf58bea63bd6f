"""`make demo`: what each generation does to the samples."""
