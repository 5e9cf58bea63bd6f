from chunkfast.structure import HeaderLevel, Heading, detect_header_level, outline

__version__ = "0.1.0.dev0"
__all__ = ["HeaderLevel", "Heading", "detect_header_level", "outline"]
