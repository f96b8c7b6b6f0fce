#include "control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "trust.h"

static const char *distrust;

const char *facet_control_distrust(void)
{
    return distrust;
}

bool facet_runtime_directory(char *path, size_t bytes)
{
    const char *given = getenv("FACET_RUNTIME_DIR");
    const char *session = getenv("XDG_RUNTIME_DIR");
    int length;
    if (given != NULL && *given != 0) {
        length = snprintf(path, bytes, "%s", given);
    } else if (geteuid() == 0) {
        length = snprintf(path, bytes, "/run/facet");
    } else if (session != NULL && *session != 0) {
        length = snprintf(path, bytes, "%s/facet", session);
    } else {
        length = snprintf(path, bytes, "/tmp/facet-%u", (unsigned)geteuid());
    }
    return length > 0 && (size_t)length < bytes;
}

int facet_control_connect(const char *directory)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/control", directory);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    distrust = facet_distrust_directory(directory);
    if (distrust != NULL) {
        errno = FACET_DISTRUSTED;
        return -1;
    }
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) {
        return -1;
    }
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        int reason = errno;
        close(connection);
        errno = reason;
        return -1;
    }
    distrust = facet_distrust_peer(directory, connection);
    if (distrust != NULL) {
        close(connection);
        errno = FACET_DISTRUSTED;
        return -1;
    }
    return connection;
}

void facet_control_patience(int connection, int seconds)
{
    struct timeval most = {.tv_sec = seconds};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

void facet_control_append(struct facet_text *line, const char *name, const char *value)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    facet_text_add(line, " ");
    facet_text_add(line, name);
    facet_text_add(line, "=");
    for (; *value != 0; value++) {
        unsigned char each = (unsigned char)*value;
        if (each <= ' ' || each == '%' || each == '=' || each == '+' || each >= 127) {
            char encoded[] = {'%', DIGITS[each >> 4], DIGITS[each & 15]};
            facet_text_add_bytes(line, encoded, sizeof encoded);
        } else {
            facet_text_add_bytes(line, value, 1);
        }
    }
}

static bool send_all(int connection, const char *bytes, size_t left)
{
    while (left > 0) {
        ssize_t sent = send(connection, bytes, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        left -= (size_t)sent;
    }
    return true;
}

bool facet_control_ask(int connection, struct facet_text *line, struct facet_text *answer)
{
    facet_text_add(line, "\n");
    facet_text_clear(answer);
    if (line->failed) {
        errno = ENOMEM;
        return false;
    }
    if (!send_all(connection, line->bytes, line->length)) {
        return false;
    }
    char part[16384];
    while (answer->length == 0 || answer->bytes[answer->length - 1] != '\n') {
        ssize_t received = recv(connection, part, sizeof part, 0);
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received <= 0) {
            errno = received == 0 ? 0 : errno;
            return false;
        }
        facet_text_add_bytes(answer, part, (size_t)received);
        if (answer->failed) {
            errno = ENOMEM;
            return false;
        }
    }
    answer->bytes[--answer->length] = 0;
    return true;
}
