/* Included before every file. The libraries are loaded into containers whose C library may be older than that of the machine
 * that built them. glibc 2.33 and 2.34 gave new versions to functions that did not change; these are the
 * versions that all of them have. */
#ifndef FACET_OLD_LIBC_H
#define FACET_OLD_LIBC_H

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#ifdef __x86_64__
#define FACET_OLD(name) __asm__(".symver " #name ", " #name "@GLIBC_2.2.5")
#define FACET_OLD_AS(name, version) __asm__(".symver " #name ", " #name "@" version)
#else
#define FACET_OLD(name) __asm__(".symver " #name ", " #name "@GLIBC_2.17")
#define FACET_OLD_AS(name, version) FACET_OLD(name)
#endif

FACET_OLD(pthread_create);
FACET_OLD(pthread_join);
FACET_OLD(pthread_detach);
FACET_OLD(pthread_key_create);
FACET_OLD(pthread_key_delete);
FACET_OLD(pthread_getspecific);
FACET_OLD(pthread_setspecific);
FACET_OLD(pthread_once);
FACET_OLD(pthread_sigmask);
FACET_OLD(dladdr);
FACET_OLD(dlclose);
FACET_OLD(dlerror);
FACET_OLD(dlopen);
FACET_OLD(dlsym);
FACET_OLD_AS(pthread_setname_np, "GLIBC_2.12");

/* Was a function of the header before 2.33. */
static inline int facet_fstat(int descriptor, struct stat *status)
{
    return (int)syscall(SYS_fstat, descriptor, status);
}
#define fstat(descriptor, status) facet_fstat(descriptor, status)

#endif
#endif
