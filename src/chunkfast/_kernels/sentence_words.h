// Words that decide whether the full stop after or before them ends a sentence. Lower case, at most 8 letters, packed.
#pragma once
#include <cstdint>

enum CfWord {
    CF_WORD_PLAIN = 0,
    CF_WORD_NEVER,     // a title or a particle: something always follows
    CF_WORD_NUMBERED,  // an abbreviation before a number, a word elsewhere ("No. 5", "No.")
    CF_WORD_MAY_END,   // an abbreviation that also closes sentences ("Inc.", "etc.", "Jan.")
    CF_WORD_STARTER,   // after a full stop, with a capital, it opens a sentence: no surname, no second part of a name
    CF_WORD_UNIT,      // what numbers and letters are given to ("Section 5.", "Schedule A.")
};

constexpr uint64_t cf_word(const char* s) {
    uint64_t key = 0;
    for (; *s; ++s) key = key << 8 | uint8_t(*s);
    return key;
}

#define W(s) case cf_word(s):
static inline int cf_word_class(uint64_t key) {
    switch (key) {
        W("dr") W("mr") W("mrs") W("ms") W("mx") W("prof") W("messrs") W("mme") W("mlle") W("hon") W("rev") W("gov") W("sen")
        W("rep") W("gen") W("col") W("maj") W("capt") W("cmdr") W("lt") W("sgt") W("cpl") W("adm") W("supt") W("pres")
        W("st") W("mt") W("ft") W("vs") W("cf") W("viz") W("eg") W("ie") W("approx") W("ca") W("esp") W("resp") W("excl")
        W("incl") W("ibid") W("nee") W("lit") W("abbr") W("aka") W("spp") W("subsp") W("var")
            return CF_WORD_NEVER;
        W("no") W("nos") W("nr") W("fig") W("figs") W("eq") W("eqs") W("eqn") W("ref") W("refs") W("vol") W("vols") W("sec")
        W("secs") W("sect") W("art") W("arts") W("ch") W("chap") W("pp") W("pg") W("para") W("paras") W("pt") W("pts")
        W("reg") W("regs") W("cl") W("cls") W("sch") W("app") W("ex") W("tab") W("ed") W("eds") W("ver") W("max") W("min")
            return CF_WORD_NUMBERED;
        W("inc") W("ltd") W("co") W("corp") W("llc") W("plc") W("bros") W("cie") W("jr") W("sr") W("esq") W("etc") W("al")
        W("et") W("jan") W("feb") W("mar") W("apr") W("jun") W("jul") W("aug") W("sept") W("sep") W("oct") W("nov") W("dec")
        W("mon") W("tue") W("tues") W("wed") W("thu") W("thur") W("thurs") W("fri") W("ave") W("blvd") W("rd") W("dept")
        W("univ") W("assn") W("assoc") W("inst") W("intl") W("natl") W("govt") W("mfg") W("est") W("misc")
        W("avg") W("std") W("hr") W("hrs") W("mins") W("lb") W("lbs") W("oz") W("km") W("cm")
        W("mm") W("kg") W("tel") W("calif") W("minn") W("penn") W("tenn")
        W("conn") W("colo") W("ariz") W("fla") W("wis") W("bn") W("mn") W("phd") W("dba") W("op") W("syn")
            return CF_WORD_MAY_END;
        W("the") W("this") W("that") W("these") W("those") W("there") W("then") W("they") W("their") W("we") W("our") W("he")
        W("his") W("she") W("her") W("it") W("its") W("you") W("your") W("i") W("my") W("a") W("an") W("in") W("on") W("at")
        W("as") W("by") W("for") W("from") W("of") W("to") W("with") W("if") W("when") W("while") W("where") W("what")
        W("which") W("who") W("why") W("how") W("but") W("and") W("or") W("so") W("yet") W("not") W("all") W("any")
        W("each") W("both") W("some") W("many") W("most") W("such") W("other") W("one") W("two") W("also") W("after")
        W("before") W("since") W("until") W("during") W("under") W("although") W("because") W("however") W("thus") W("hence")
        W("here") W("let") W("is") W("are") W("was") W("do") W("does") W("did") W("can") W("may") W("has") W("have") W("had")
        W("please") W("see") W("today") W("now") W("once") W("only") W("even") W("despite") W("unlike") W("upon")
            return CF_WORD_STARTER;
        W("section") W("sections") W("article") W("chapter") W("part") W("title") W("rule") W("schedule") W("annex")
        W("appendix") W("exhibit") W("figure") W("table") W("note") W("step") W("item") W("question") W("clause") W("phase")
        W("stage") W("class") W("type") W("group") W("grade") W("category") W("plan") W("option") W("tier") W("series")
        W("vitamin") W("point") W("letter") W("book") W("lemma") W("theorem") W("example")
            return CF_WORD_UNIT;
        default:
            return CF_WORD_PLAIN;
    }
}
#undef W
