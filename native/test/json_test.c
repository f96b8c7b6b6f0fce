/* JSON as engines and the daemon write it, and texts that are none. */
#include <stdlib.h>

#include "check.h"
#include "control.h"
#include "json.h"
#include "wish.h"

static void is_text(const char *expected, const char *json, const char *name)
{
    struct facet_text text = {0};
    bool found = facet_json_string(facet_json_member(facet_json_of(json), name), &text);
    CHECK_TEXT(expected, found ? text.bytes : "(none)");
    facet_text_free(&text);
}

static void members(void)
{
    const char *state =
        "{\"annotations\":{\"id\":\"wrong\",\"list\":[{\"bundle\":\"wrong\"},\"}\\\"]\"]},\n"
        " \"id\" : \"right\",\t\"pid\":4711 ,\"bundle\":\"/a b\",\"ok\":true}";
    struct facet_json all = facet_json_of(state);
    is_text("right", state, "id");
    is_text("/a b", state, "bundle");
    is_text("(none)", state, "list");
    is_text("(none)", state, "pid");
    CHECK_EQUAL(4711, facet_json_number(facet_json_member(all, "pid"), 1 << 22));
    CHECK_EQUAL(-1, facet_json_number(facet_json_member(all, "pid"), 4710));
    CHECK_EQUAL(-1, facet_json_number(facet_json_member(all, "ok"), 100));
    CHECK_EQUAL(-1, facet_json_number(facet_json_member(all, "nothing"), 100));
    CHECK(facet_json_is(facet_json_member(all, "ok"), "true"));
    CHECK(!facet_json_is(facet_json_member(all, "ok"), "tru"));
    CHECK(!facet_json_is(facet_json_member(all, "nothing"), "true"));
    is_text("outer", "{\"a\":{\"b\":\"inner\"},\"b\":\"outer\"}", "b");
    is_text("", "{\"\":\"\"}", "");
}

static void strings(void)
{
    is_text("\" \\ / \b \f \n \r \t", "{\"a\":\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t\"}", "a");
    is_text("A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "{\"a\":\"\\u0041\\u00e9\\u20AC\\uD83D\\ude00\"}", "a");
    is_text("\xc3\xa9", "{\"a\":\"\xc3\xa9\"}", "a");
    is_text("found", "{\"\\u0061\":\"found\"}", "a");
    is_text("(none)", "{\"a\":\"\\u0000\"}", "a");
    is_text("(none)", "{\"a\":\"\\ud83d\"}", "a");
    is_text("(none)", "{\"a\":\"\\ud83d\\u0041\"}", "a");
    is_text("(none)", "{\"a\":\"\\u00g0\"}", "a");
    is_text("(none)", "{\"a\":\"\\x\"}", "a");
    is_text("(none)", "{\"a\":\"\\u00\"}", "a");
    is_text("(none)", "{\"a\":12}", "a");
}

static void compact(void)
{
    struct facet_text text = {0};
    facet_json_compact(facet_json_of(" { \"a b\" : [ 1 ,\n\t\"c \\\" d\" ] } \r\n"), &text);
    CHECK_TEXT("{\"a b\":[1,\"c \\\" d\"]}", text.bytes);
    facet_text_free(&text);
}

/* Every beginning of a text, each in memory that ends where it ends. */
static void beginnings(void)
{
    const char *all = "{\"a\":[1,{\"b\":\"\\u00e9\\\\\"},null],\"c\":{\"d\":{}},\"e\":\"\\ud83d\\ude00\",\"f\":-1.5e3}";
    for (size_t length = 0; length <= strlen(all); length++) {
        char *copy = malloc(length + 1);
        memcpy(copy, all, length);
        copy[length] = 0;
        struct facet_text text = {0};
        static const char *const NAMES[] = {"a", "c", "e", "f", "g"};
        for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
            struct facet_json found = facet_json_member(facet_json_of(copy), NAMES[i]);
            CHECK(found.start == NULL || (found.start >= copy && found.start + found.length <= copy + length));
            facet_json_string(found, &text);
        }
        facet_json_compact(facet_json_of(copy), &text);
        facet_text_free(&text);
        free(copy);
    }
}

/* Texts of the characters that matter, by chance. */
static void nonsense(unsigned seed)
{
    static const char CHARACTERS[] = "{}[]\",:\\u0aD8 \n1tf";
    srand(seed);
    for (int round = 0; round < 20000; round++) {
        size_t length = (size_t)rand() % 40;
        char *text = malloc(length + 1);
        for (size_t i = 0; i < length; i++)
            text[i] = CHARACTERS[(size_t)rand() % (sizeof CHARACTERS - 1)];
        text[length] = 0;
        struct facet_text value = {0};
        struct facet_json found = facet_json_member(facet_json_of(text), "a");
        CHECK(found.start == NULL || (found.start >= text && found.start + found.length <= text + length));
        facet_json_string(found, &value);
        facet_json_string(facet_json_of(text), &value);
        facet_json_compact(facet_json_of(text), &value);
        facet_text_free(&value);
        free(text);
    }
    if (facet_failures > 0)
        fprintf(stderr, "the seed was %u\n", seed);
}

static void depth(void)
{
    char deep[1000];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"a\":", 5);
    deep[sizeof deep - 1] = 0;
    CHECK(facet_json_member(facet_json_of(deep), "a").start == NULL);
}

static void requests(void)
{
    struct facet_text line = {0};
    facet_text_add(&line, "verb");
    facet_control_append(&line, "name", "a b=c%d+\xc3\xa9\n\"");
    CHECK_TEXT("verb name=a%20b%3Dc%25d%2B%C3%A9%0A\"", line.bytes);
    facet_text_free(&line);
}

static void wishes(void)
{
    CHECK(facet_wish_possible("{\"env\":[\"PATH=/bin\",\"FACET_MEMORY=1G\"]}"));
    CHECK(facet_wish_possible("{\"annotations\":{\"dev.facet.memory\":\"1G\"}}"));
    CHECK(facet_wish_possible("{\"annotations\":{\"facet.dev/memory\":\"1G\"}}"));
    CHECK(facet_wish_possible("[\"CUDA_DEVICE_MEMORY_LIMIT_0=1g\"]"));
    CHECK(facet_wish_possible("[\"CUDA_DEVICE_SM_LIMIT=30\"]"));
    CHECK(facet_wish_possible("[\"ALIYUN_COM_GPU_MEM_CONTAINER=3\"]"));
    CHECK(facet_wish_possible("[\"GPU_MEMORY_LIMIT=3\"]"));
    CHECK(!facet_wish_possible("{\"path\":\"/usr/lib/facet/bin/facet-hook\",\"env\":[\"A=FACET_MEMORY\"]}"));
}

int main(void)
{
    members();
    strings();
    compact();
    beginnings();
    nonsense(getenv("FACET_SEED") != NULL ? (unsigned)atoi(getenv("FACET_SEED")) : 20250117u);
    depth();
    requests();
    wishes();
    return CHECK_RESULT();
}
