"""Pre-tokens that a byte-level counter has met before, told as fast as they are found: see the header."""
from chunkfast._kernels.known_words cimport KnownWords
from chunkfast._kernels.text cimport int64_t, uint8_t, uint32_t

cdef extern from "known_pretokens.h" nogil:
    cppclass KnownPretoken "CfKnownPretoken":
        int64_t end
        uint32_t note
        bint safe

    cppclass KnownRun "CfKnownRun":
        int64_t seen
        int64_t tokens
        int64_t start
        int64_t end
        bint safe

    int64_t known_pretokens "cf_known_pretokens"[T](
        const uint8_t* ascii, const uint8_t* loops, KnownWords* known, const T* text, int64_t end, KnownRun& run,
        KnownPretoken* out, int64_t most) noexcept
