#include "ask.h"

#include <errno.h>
#include <string.h>

#include "say.h"
#include "trust.h"

/* Longer than any daemon takes that is not stuck; a container waits for it. */
enum { PATIENCE_SECONDS = 10 };

int facet_ask_connect(const char *directory)
{
    int connection = facet_control_connect(directory);
    if (connection >= 0) {
        facet_control_patience(connection, PATIENCE_SECONDS);
    } else if (errno == FACET_DISTRUSTED) {
        facet_fail("the daemon in %s cannot be trusted: %s", directory, facet_control_distrust());
    } else if (errno == EACCES || errno == EPERM) {
        facet_fail("not allowed to use the daemon in %s; run this as root, or start the daemon with --admin-group", directory);
    } else if (errno == ENOENT || errno == ECONNREFUSED) {
        /* Not in the system's words: podman takes "no such file" for a missing program. */
        facet_fail("no daemon runs in %s; start it with 'systemctl start facetd' or 'facet up', or start the container without asking for a GPU",
                   directory);
    } else {
        facet_fail("the daemon in %s cannot be reached: %s", directory, strerror(errno));
    }
    return connection;
}

static const char *reason_of(int number)
{
    if (number == 0) {
        return "it hung up; its log says why";
    }
    return number == EAGAIN || number == EWOULDBLOCK ? "not within 10 seconds" : strerror(number);
}

bool facet_ask(int connection, struct facet_text *line, struct facet_text *answer)
{
    if (line->length >= FACET_CONTROL_LINE) {
        return facet_fail("the container's configuration is too long for the daemon: %zu bytes, at most %d", line->length, FACET_CONTROL_LINE);
    }
    if (!facet_control_ask(connection, line, answer)) {
        return facet_fail("the daemon does not answer: %s", reason_of(errno));
    }
    struct facet_json all = facet_json_of(answer->bytes);
    if (facet_json_is(facet_json_member(all, "ok"), "true")) {
        return true;
    }
    struct facet_text reason = {0};
    if (facet_json_string(facet_json_member(all, "error"), &reason)) {
        facet_fail("%s", reason.bytes);
    } else {
        facet_fail("the daemon's answer cannot be read; is it of another version?");
    }
    facet_text_free(&reason);
    return false;
}
