// Names of HTML tags and entities as numbers, one byte a letter.
#pragma once

constexpr unsigned long long cf_name(const char *s) {
    unsigned long long v = 0;
    while (*s) v = v << 8 | (unsigned char)*s++;
    return v;
}
struct cf_entity { unsigned long long name; unsigned code; };
static const cf_entity cf_entities[] = {
    {cf_name("nbsp"), 32}, {cf_name("lt"), 60}, {cf_name("gt"), 62}, {cf_name("amp"), 38}, {cf_name("quot"), 34},
    {cf_name("apos"), 39}, {cf_name("ensp"), 32}, {cf_name("emsp"), 32}, {cf_name("thinsp"), 32}, {cf_name("vert"), 124},
    {cf_name("times"), 0xD7}, {cf_name("divide"), 0xF7}, {cf_name("plusmn"), 0xB1}, {cf_name("middot"), 0xB7},
    {cf_name("bull"), 0x2022}, {cf_name("hellip"), 0x2026}, {cf_name("ndash"), 0x2013}, {cf_name("mdash"), 0x2014},
    {cf_name("minus"), 0x2212}, {cf_name("ldquo"), 0x201C}, {cf_name("rdquo"), 0x201D}, {cf_name("lsquo"), 0x2018},
    {cf_name("rsquo"), 0x2019}, {cf_name("laquo"), 0xAB}, {cf_name("raquo"), 0xBB}, {cf_name("yen"), 0xA5},
    {cf_name("euro"), 0x20AC}, {cf_name("pound"), 0xA3}, {cf_name("cent"), 0xA2}, {cf_name("deg"), 0xB0},
    {cf_name("permil"), 0x2030}, {cf_name("le"), 0x2264}, {cf_name("ge"), 0x2265}, {cf_name("ne"), 0x2260},
    {cf_name("sect"), 0xA7}, {cf_name("para"), 0xB6}, {cf_name("copy"), 0xA9}, {cf_name("reg"), 0xAE},
    {cf_name("trade"), 0x2122}, {cf_name("frac12"), 0xBD}, {cf_name("sup2"), 0xB2}, {cf_name("sup3"), 0xB3},
    {cf_name("alpha"), 0x3B1}, {cf_name("beta"), 0x3B2}, {cf_name("rarr"), 0x2192}, {cf_name("larr"), 0x2190}};
static inline unsigned cf_entity_code(unsigned long long name) {
    for (const cf_entity &e : cf_entities) if (e.name == name) return e.code;
    return 0;
}
enum : unsigned long long {
    TAG_TABLE = cf_name("table"), TAG_TR = cf_name("tr"), TAG_TD = cf_name("td"), TAG_TH = cf_name("th"),
    TAG_THEAD = cf_name("thead"), TAG_TBODY = cf_name("tbody"), TAG_TFOOT = cf_name("tfoot"),
    TAG_CAPTION = cf_name("caption")};
// tags that part the words before and after them
static inline bool cf_breaks(unsigned long long n) {
    return n == cf_name("br") || n == cf_name("p") || n == cf_name("div") || n == cf_name("li") || n == cf_name("ul")
        || n == cf_name("ol") || n == cf_name("hr") || n == cf_name("dd") || n == cf_name("dt") || n == TAG_TABLE
        || n == TAG_TR || n == TAG_TD || n == TAG_TH || n == TAG_CAPTION || (n >> 8 == 'h' && '1' <= (n & 255) && (n & 255) <= '6');
}
