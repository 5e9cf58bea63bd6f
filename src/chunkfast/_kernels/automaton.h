// What the bytes of a split pattern's automaton mean, see `Pattern` in pretokens.pxd.
#pragma once

enum {
    CF_START = 1,  // state
    CF_STATE = 127,  // bits of an entry
    CF_ACCEPT = 128,
    CF_LOOP_LOWER = 1,  // of a state that a to z lead back to
    CF_LOOP_UPPER = 32,  // A to Z as well: the bit that makes lower case of them
    CF_LOOP_IDEOGRAPH = 2,  // U+4E00 to U+9FFF
};
