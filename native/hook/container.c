#include "container.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

enum { MOST_CONFIG = 64 << 20, MOST_ID = 200 };

/* A name of a folder, and nothing else. */
static bool is_id(const struct facet_text *id)
{
    return id->length > 0 && id->length <= MOST_ID && id->bytes[0] != '.' && strchr(id->bytes, '/') == NULL;
}

bool container_of_state(struct container *container, const char *state)
{
    struct facet_json all = facet_json_of(state);
    if (!facet_json_string(facet_json_member(all, "id"), &container->id) || !is_id(&container->id)) {
        return facet_fail("standard input holds no state of a container with a usable 'id'; container runtimes call this program, see --help");
    }
    if (!facet_json_string(facet_json_member(all, "bundle"), &container->bundle)) {
        return facet_fail("the state of container %s has no 'bundle'", container->id.bytes);
    }
    long process = facet_json_number(facet_json_member(all, "pid"), INT_MAX);
    container->process = process > 0 ? (pid_t)process : 0;
    container->stopped = facet_json_is(facet_json_member(all, "status"), "\"stopped\"");
    return true;
}

static bool find_root(struct container *container)
{
    struct facet_json root = facet_json_member(facet_json_of(container->config.bytes), "root");
    struct facet_text path = {0};
    bool found = facet_json_string(facet_json_member(root, "path"), &path) && path.length > 0;
    if (found && path.bytes[0] != '/') {
        facet_text_add(&container->root, container->bundle.bytes);
        facet_text_add(&container->root, "/");
    }
    if (found) {
        facet_text_add(&container->root, path.bytes);
    } else {
        facet_fail("config.json of container %s has no root.path", container->id.bytes);
    }
    facet_text_free(&path);
    return found;
}

bool container_read_config(struct container *container)
{
    struct facet_text path = {0};
    facet_text_add(&path, container->bundle.bytes);
    facet_text_add(&path, "/config.json");
    int file = open(path.bytes, O_RDONLY | O_CLOEXEC);
    bool got = file >= 0 && facet_text_read(&container->config, file, MOST_CONFIG);
    if (!got) {
        facet_fail("%s cannot be read: %s", path.bytes, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    facet_text_free(&path);
    return got && find_root(container);
}

void container_wish(const struct container *container, struct facet_text *text)
{
    struct facet_json config = facet_json_of(container->config.bytes);
    struct facet_json environment = facet_json_member(facet_json_member(config, "process"), "env");
    struct facet_json annotations = facet_json_member(config, "annotations");
    facet_text_add(text, "{\"process\":{\"env\":");
    if (environment.start != NULL) {
        facet_json_compact(environment, text);
    } else {
        facet_text_add(text, "[]");
    }
    facet_text_add(text, "},\"annotations\":");
    if (annotations.start != NULL) {
        facet_json_compact(annotations, text);
    } else {
        facet_text_add(text, "{}");
    }
    facet_text_add(text, "}");
}

void container_free(struct container *container)
{
    facet_text_free(&container->id);
    facet_text_free(&container->bundle);
    facet_text_free(&container->config);
    facet_text_free(&container->root);
}
