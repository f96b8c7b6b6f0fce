#define _GNU_SOURCE
#include "trust.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether others may make files in the folder that holds this one, as in /tmp. */
static bool lies_in_the_open(const char *directory)
{
    char path[PATH_MAX];
    struct stat parent;
    if (snprintf(path, sizeof path, "%s", directory) >= (int)sizeof path || stat(dirname(path), &parent) != 0) {
        return true;
    }
    return (parent.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

const char *facet_distrust_directory(const char *directory)
{
    struct stat found;
    if (lstat(directory, &found) != 0) {
        return NULL; /* then nobody answers there */
    }
    if (lies_in_the_open(directory) && ((found.st_uid != geteuid() && found.st_uid != 0) || S_ISLNK(found.st_mode))) {
        return "another user may have made it; set FACET_RUNTIME_DIR to a folder of your own";
    }
    if (stat(directory, &found) == 0 && (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return "others can write to it; 'chmod go-w' it, or set FACET_RUNTIME_DIR to another folder";
    }
    return NULL;
}

const char *facet_distrust_peer(const char *directory, int connection)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;
    struct stat found;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 || stat(directory, &found) != 0) {
        return "it cannot be found out who listens there; set FACET_RUNTIME_DIR to another folder";
    }
    if (peer.uid != found.st_uid && peer.uid != geteuid() && peer.uid != 0) {
        return "a process of another user listens there; set FACET_RUNTIME_DIR to a folder of your own";
    }
    return NULL;
}
