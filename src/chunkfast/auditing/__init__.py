"""How `chunkfast.audit` finds chunks in their text and judges them."""
