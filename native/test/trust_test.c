/* Folders and daemons that somebody else has made. What needs another user is tried where we are root. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "control.h"
#include "trust.h"

enum { STRANGER = 54321 };

static char base[] = "/tmp/facet-trust-XXXXXX";
static char folder[64];

static void permissions(void)
{
    CHECK(facet_distrust_directory(folder) == NULL);
    CHECK(chmod(folder, 0750) == 0);
    CHECK(facet_distrust_directory(folder) == NULL);
    CHECK(chmod(folder, 0770) == 0);
    CHECK(facet_distrust_directory(folder) != NULL);
    CHECK(chmod(folder, 0702) == 0);
    CHECK(facet_distrust_directory(folder) != NULL);
    CHECK(chmod(folder, 0700) == 0);
    CHECK(facet_distrust_directory("/tmp/facet-that-is-not-there") == NULL);
}

static void links(void)
{
    char link[64];
    snprintf(link, sizeof link, "%s/link", base);
    CHECK(symlink(folder, link) == 0);
    CHECK(facet_distrust_directory(link) == NULL);
    CHECK(chmod(base, 01777) == 0);
    CHECK(facet_distrust_directory(link) != NULL);
    CHECK(chmod(base, 0700) == 0);
    unlink(link);
}

static void owners(void)
{
    CHECK(chmod(base, 01777) == 0);
    CHECK(facet_distrust_directory(folder) == NULL);
    CHECK(chown(folder, STRANGER, STRANGER) == 0);
    CHECK(facet_distrust_directory(folder) != NULL);
    CHECK_EQUAL(-1, facet_control_connect(folder));
    CHECK_EQUAL(FACET_DISTRUSTED, errno);
    /* Where only we can make folders, we have named one of theirs. */
    CHECK(chmod(base, 0755) == 0);
    CHECK(facet_distrust_directory(folder) == NULL);
    CHECK(chown(folder, 0, 0) == 0);
}

/* Listens in the folder as some user until the pipe is closed. */
static pid_t listen_as(uid_t user, int started, int end)
{
    pid_t child = fork();
    if (child == 0) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        snprintf(address.sun_path, sizeof address.sun_path, "%s/control", folder);
        unlink(address.sun_path);
        int listener = socket(AF_UNIX, SOCK_STREAM, 0);
        char byte = 0;
        if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || setuid(user) != 0 || listen(listener, 1) != 0 ||
            write(started, &byte, 1) != 1) {
            _exit(1);
        }
        _exit(read(end, &byte, 1) < 0);
    }
    return child;
}

static int connects_to(uid_t user)
{
    int started[2], end[2];
    char byte;
    CHECK(pipe(started) == 0 && pipe(end) == 0);
    pid_t child = listen_as(user, started[1], end[0]);
    CHECK(read(started[0], &byte, 1) == 1);
    int connection = facet_control_connect(folder);
    int reason = connection < 0 ? errno : 0;
    CHECK(write(end[1], "", 1) == 1);
    waitpid(child, NULL, 0);
    int all[] = {started[0], started[1], end[0], end[1], connection};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] >= 0)
            close(all[i]);
    return reason;
}

int main(void)
{
    CHECK(mkdtemp(base) != NULL);
    snprintf(folder, sizeof folder, "%s/run", base);
    CHECK(mkdir(folder, 0700) == 0);
    permissions();
    links();
    CHECK_EQUAL(0, connects_to(geteuid()));
    if (geteuid() == 0) {
        owners();
        CHECK_EQUAL(FACET_DISTRUSTED, connects_to(STRANGER));
        CHECK(facet_control_distrust() != NULL);
    }
    char socket[96];
    snprintf(socket, sizeof socket, "%s/control", folder);
    unlink(socket);
    rmdir(folder);
    rmdir(base);
    return CHECK_RESULT();
}
