#include "bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask.h"
#include "say.h"
#include "wish.h"

enum { MOST_CONFIG = 64 << 20 };

static bool write_all(int file, const struct facet_text *text)
{
    size_t done = 0;
    while (done < text->length) {
        ssize_t written = write(file, text->bytes + done, text->length - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written < 0 ? 0 : (size_t)written;
    }
    return true;
}

/* As a whole: a runtime that reads the file meanwhile sees the old one or the new one. */
static bool replace(const char *path, const struct facet_text *text)
{
    struct facet_text other = {0};
    struct stat status;
    char end[32];
    snprintf(end, sizeof end, ".facet-%d", (int)getpid());
    facet_text_add(&other, path);
    facet_text_add(&other, end);
    int file = open(other.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool done = file >= 0 && stat(path, &status) == 0 && write_all(file, text) && fchmod(file, status.st_mode & 07777) == 0 &&
                fchown(file, status.st_uid, status.st_gid) == 0 && rename(other.bytes, path) == 0;
    int reason = errno;
    if (file >= 0) {
        close(file);
        if (!done) {
            unlink(other.bytes);
        }
    }
    facet_text_free(&other);
    return done || facet_fail("%s cannot be changed: %s", path, strerror(reason));
}

static bool ask(const char *directory, const char *hook, struct facet_json config, struct facet_text *edited)
{
    int control = facet_ask_connect(directory);
    if (control < 0) {
        return false;
    }
    struct facet_text line = {0}, compact = {0}, answer = {0};
    facet_json_compact(config, &compact);
    facet_text_add(&line, "container-config");
    facet_control_append(&line, "hook", hook);
    facet_control_append(&line, "config", compact.bytes);
    bool done = facet_ask(control, &line, &answer);
    if (done) {
        struct facet_json all = facet_json_of(answer.bytes);
        if (facet_json_is(facet_json_member(all, "wanted"), "true") && !facet_json_string(facet_json_member(all, "config"), edited)) {
            done = facet_fail("the daemon's answer has no configuration in it; is it of another version?");
        }
    }
    close(control);
    facet_text_free(&line);
    facet_text_free(&compact);
    facet_text_free(&answer);
    return done;
}

/* From an earlier start of the same bundle, or from an engine that has put it there itself. Who says something of the engine may need device files
 * besides. */
static bool has_hook(struct facet_json config)
{
    static const char NAME[] = "facet-hook";
    struct facet_json hooks = facet_json_member(config, "hooks");
    return hooks.start != NULL && memmem(hooks.start, hooks.length, NAME, sizeof NAME - 1) != NULL;
}

bool bundle_prepare(const char *bundle, const char *directory, const char *hook)
{
    struct facet_text path = {0}, text = {0}, edited = {0};
    facet_text_add(&path, bundle);
    facet_text_add(&path, "/config.json");
    int file = open(path.bytes, O_RDONLY | O_CLOEXEC);
    bool done = true;
    /* Where there is none to be read the runtime says so. */
    if (file >= 0 && facet_text_read(&text, file, MOST_CONFIG) && facet_wish_possible(text.bytes)) {
        struct facet_json config = facet_json_of(text.bytes);
        done = (has_hook(config) && !facet_wish_of_engine(text.bytes)) ||
               (ask(directory, hook, config, &edited) && (edited.length == 0 || replace(path.bytes, &edited)));
    }
    if (file >= 0) {
        close(file);
    }
    facet_text_free(&path);
    facet_text_free(&text);
    facet_text_free(&edited);
    return done;
}
