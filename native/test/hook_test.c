/* What the hook reads: states, configurations, lists of placeholders, /etc/ld.so.preload. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "container.h"
#include "line.h"
#include "preload.h"

static bool state(const char *text, struct container *container)
{
    *container = (struct container){0};
    return container_of_state(container, text);
}

static void states(void)
{
    struct container container;
    CHECK(state("{\"ociVersion\":\"1.0.2\",\"id\":\"a-1\",\"status\":\"creating\",\"pid\":77,\"bundle\":\"/b\",\"annotations\":{\"id\":\"no\"}}",
                &container));
    CHECK_TEXT("a-1", container.id.bytes);
    CHECK_TEXT("/b", container.bundle.bytes);
    CHECK_EQUAL(77, container.process);
    CHECK(!container.stopped);
    container_free(&container);
    CHECK(state("{\"id\":\"a\",\"status\":\"stopped\",\"pid\":0,\"bundle\":\"/b\"}", &container));
    CHECK_EQUAL(0, container.process);
    CHECK(container.stopped);
    container_free(&container);
    /* names that are no names of folders */
    static const char *const WRONG[] = {"",
                                        "{}",
                                        "[]",
                                        "nonsense",
                                        "{\"id\":\"\",\"bundle\":\"/b\"}",
                                        "{\"id\":\"..\",\"bundle\":\"/b\"}",
                                        "{\"id\":\"a/b\",\"bundle\":\"/b\"}",
                                        "{\"id\":\"a\\u002fb\",\"bundle\":\"/b\"}",
                                        "{\"id\":\"a\"}",
                                        "{\"id\":5,\"bundle\":\"/b\"}"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        CHECK(!state(WRONG[i], &container));
        container_free(&container);
    }
}

static void config(const char *text, const char *root, const char *wish)
{
    char folder[] = "/tmp/hook_test.XXXXXX";
    char path[64], json[128];
    struct container container;
    struct facet_text told = {0};
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    snprintf(json, sizeof json, "{\"id\":\"a\",\"bundle\":\"%s\"}", folder);
    CHECK(state(json, &container));
    CHECK_EQUAL(root != NULL, container_read_config(&container));
    if (root != NULL) {
        struct facet_text expected = {0};
        facet_text_add(&expected, *root == '/' ? "" : folder);
        facet_text_add(&expected, *root == '/' ? root : "/rootfs");
        CHECK_TEXT(expected.bytes, container.root.bytes);
        facet_text_free(&expected);
        container_wish(&container, &told);
        CHECK_TEXT(wish, told.bytes);
    }
    facet_text_free(&told);
    container_free(&container);
    unlink(path);
    rmdir(folder);
}

static void configs(void)
{
    config("{\"root\":{\"readonly\":true,\"path\":\"rootfs\"},\"process\":{\"args\":[\"sh\"],\"env\":[ \"A=1 2\" ]}}", "rootfs",
           "{\"process\":{\"env\":[\"A=1 2\"]},\"annotations\":{}}");
    config("{\"annotations\": {\"a\": \"b\"}, \"root\":{\"path\":\"/x\"}}", "/x", "{\"process\":{\"env\":[]},\"annotations\":{\"a\":\"b\"}}");
    config("{\"process\":{\"root\":{\"path\":\"/wrong\"}}}", NULL, NULL);
    config("", NULL, NULL);
}

static void lines(void)
{
    const char *text = "root 1 2 /r o\nnonsense\nfile 3 x /no\nfile 3 4\nfile 3 4 relative\nfolder 5 6 /run/facet\nfile 7 8 /half";
    struct record_line line;
    CHECK(record_line_next(&text, &line));
    CHECK_EQUAL(RECORD_ROOT, line.kind);
    CHECK_EQUAL(1, line.device);
    CHECK_EQUAL(2, line.inode);
    CHECK_TEXT("/r o", line.path);
    CHECK(record_line_next(&text, &line));
    CHECK_EQUAL(RECORD_FOLDER, line.kind);
    CHECK_TEXT("/run/facet", line.path);
    CHECK(record_line_next(&text, &line));
    CHECK_EQUAL(RECORD_FILE, line.kind);
    CHECK_TEXT("/half", line.path);
    CHECK(!record_line_next(&text, &line));
}

static void merged(const char *expected, const char *image)
{
    struct facet_text text = {0};
    bool changed = preload_merge(image, "/f/p.so", &text);
    CHECK_TEXT(expected, changed ? text.bytes : "(nothing)");
    facet_text_free(&text);
}

static void preloads(void)
{
    merged("/f/p.so\n", "");
    merged("/a.so\n/f/p.so\n", "/a.so\n");
    merged("/a.so /b.so\n/f/p.so\n", "/a.so /b.so");
    merged("(nothing)", "/a.so:/f/p.so");
    merged("# /f/p.so\n/f/p.so\n", "# /f/p.so");
    merged("/x/f/p.so\n/f/p.so\n", "/x/f/p.so\n");
    merged("/a.so # no end\n/f/p.so\n", "/a.so # no end");
}

int main(void)
{
    states();
    configs();
    lines();
    preloads();
    return CHECK_RESULT();
}
