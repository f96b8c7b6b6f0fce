/* Getting in at a daemon that takes its time, or has none for us. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "session.h"
#include "check.h"

enum { ANSWER = 46 }; /* a status that only our daemon gives */

static char path[64];
static int said[2]; /* what is said to people */

static int listen_at(int backlog)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(listener, backlog) == 0);
    return listener;
}

static CUresult connect_once(void)
{
    static struct facet_session session;
    return facet_session_connect(&session);
}

/* Until somebody was told that it takes longer. */
static void await_word(const char *word)
{
    static char text[8192];
    static size_t bytes;
    while (strstr(text, word) == NULL) {
        ssize_t more = read(said[0], text + bytes, sizeof text - 1 - bytes);
        if (more <= 0)
            break;
        bytes += (size_t)more;
    }
    CHECK(strstr(text, word) != NULL);
}

static void refuse(int connection)
{
    struct facet_hello hello;
    struct facet_welcome welcome = {.magic = FACET_MAGIC, .protocol = FACET_PROTOCOL, .status = ANSWER};
    CHECK_EQUAL((long)sizeof hello, (long)recv(connection, &hello, sizeof hello, 0));
    CHECK_EQUAL(FACET_CUDA_COMMANDS, (long)hello.commands);
    CHECK(hello.digest == facet_cuda_digests[FACET_CUDA_COMMANDS]);
    CHECK_EQUAL((long)sizeof welcome, (long)send(connection, &welcome, sizeof welcome, 0));
    close(connection);
}

static void nobody_there(void)
{
    unlink(path);
    CHECK_EQUAL(CUDA_ERROR_NO_DEVICE, connect_once());
    close(listen_at(1)); /* a socket that a daemon left */
    CHECK_EQUAL(CUDA_ERROR_NO_DEVICE, connect_once());
}

static void *accepts_late(void *listener)
{
    await_word("slow to answer");
    close(accept(*(int *)listener, NULL, NULL)); /* who stood in the way */
    refuse(accept(*(int *)listener, NULL, NULL));
    return NULL;
}

static void full_backlog(void)
{
    int listener = listen_at(0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int first = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    CHECK(connect(first, (struct sockaddr *)&address, sizeof address) == 0);
    pthread_t daemon;
    pthread_create(&daemon, NULL, accepts_late, &listener);
    CHECK_EQUAL(ANSWER, connect_once());
    pthread_join(daemon, NULL);
    close(first);
    close(listener);
}

static void *hangs_up_first(void *listener)
{
    for (int i = 0; i < 3; i++)
        close(accept(*(int *)listener, NULL, NULL));
    refuse(accept(*(int *)listener, NULL, NULL));
    return NULL;
}

static void hung_up(void)
{
    int listener = listen_at(8);
    pthread_t daemon;
    pthread_create(&daemon, NULL, hangs_up_first, &listener);
    CHECK_EQUAL(ANSWER, connect_once());
    pthread_join(daemon, NULL);
    close(listener);
}

int main(void)
{
    char directory[] = "/tmp/facet-connect-XXXXXX";
    CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/socket", directory);
    setenv("FACET_SOCKET", path, 1);
    int people = dup(STDERR_FILENO);
    CHECK(pipe(said) == 0);
    dup2(said[1], STDERR_FILENO);
    nobody_there();
    full_backlog();
    hung_up();
    dup2(people, STDERR_FILENO);
    unlink(path);
    rmdir(directory);
    return CHECK_RESULT();
}
