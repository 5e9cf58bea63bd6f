"""The three generations and what they stand on in slow, plain Python, as the published account describes them.

Oracles for the tests and the pure-Python rows of the bench. They import nothing of chunkfast.
"""
