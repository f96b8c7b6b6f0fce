#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lacks.h"

static void limit(int resource, rlim_t value, const char *name)
{
    struct rlimit both;
    if (getrlimit((__rlimit_resource_t)resource, &both) != 0) {
        confine_fail("cannot read the limit of", name);
    }
    if (both.rlim_max < value) {
        value = both.rlim_max;
    }
    both = (struct rlimit){value, value};
    if (setrlimit((__rlimit_resource_t)resource, &both) != 0) {
        confine_fail("cannot lower the limit of", name);
    }
}

void privileges_limit(const struct confine_options *options)
{
    limit(RLIMIT_CORE, 0, "core files");
    limit(RLIMIT_MEMLOCK, 0, "locked memory");
    limit(RLIMIT_MSGQUEUE, 0, "message queues");
    limit(RLIMIT_NICE, 0, "niceness");
    limit(RLIMIT_RTPRIO, 0, "real-time priority");
    limit(RLIMIT_NOFILE, options->files, "open files");
    /* It counts all threads of a user, so only a user of its own can be limited by it. */
    if (options->user != 0) {
        limit(RLIMIT_NPROC, options->processes, "processes");
    }
}

static bool set_capabilities(uint32_t low)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{low, low, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, data) == 0;
}

static void drop_bounding(void)
{
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1) {
            lacks_add("bounds", "cannot drop a capability from the bounding set");
            return;
        }
    }
}

static void become(uid_t user)
{
    if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) {
        confine_fail("cannot become", "the program's user");
    }
}

static bool administers(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1U << CAP_SYS_ADMIN)) != 0;
}

void privileges_prepare(struct confine_options *options)
{
    if (geteuid() != 0) {
        options->user = 0;
    } else if (options->user == 0) {
        errno = EINVAL;
        lacks_add("user", "no --user for a program of root");
    } else if (!administers()) {
        become(options->user);
        /* A change of user hides /proc/self from its owner, who has to write there. */
        if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) {
            confine_fail("cannot reach", "/proc/self");
        }
    }
}

void privileges_drop(const struct confine_options *options)
{
    enum {
        ROOT_IS_NOBODY = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                         SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED
    };
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) {
        confine_fail("cannot clear", "ambient capabilities");
    }
    drop_bounding();
    /* Refused where a namespace of users was: then there are no capabilities to begin with. */
    if (prctl(PR_SET_SECUREBITS, ROOT_IS_NOBODY, 0, 0, 0) != 0 && geteuid() == 0) {
        confine_fail("cannot lock", "what root means");
    }
    if (geteuid() == 0 && options->user != 0) {
        become(options->user);
    }
    if (!set_capabilities(0)) {
        confine_fail("cannot drop", "capabilities");
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        confine_fail("cannot set", "no_new_privs");
    }
}

void privileges_keep_kill(void)
{
    if (geteuid() == 0 && !set_capabilities(1U << CAP_KILL)) {
        confine_fail("cannot drop", "capabilities");
    }
}
