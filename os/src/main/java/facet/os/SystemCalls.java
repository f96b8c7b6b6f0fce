package facet.os;

import static facet.os.SystemCall.bits;
import static facet.os.SystemCall.call;
import static facet.os.SystemCall.none;
import static facet.os.SystemCall.oneOf;

import java.util.List;

/**
 * What a sealed process may ask of the kernel. It works with what it has open, with memory and with
 * its own threads; it opens nothing, connects to nobody and starts nobody.
 *
 * <p>What is in no list fails with EPERM: libraries and the JVM try calls and do without, so an
 * error leaves them alive (a time zone, a number of processors). What only an attacker asks for
 * ends the process: nobody is to try a second time, and the log shows it.
 */
final class SystemCalls {
    private static final int CLONE_THREAD_AND_MEMORY = 0x0001_0100;

    /** CLONE_NEW… and whatever else would give a thread another view; CLONE_PTRACE, CLONE_VFORK. */
    private static final int CLONE_OTHERS = 0x7e02_6080;

    private static final int F_DUPFD = 0;
    private static final int F_GETFD = 1;
    private static final int F_SETFD = 2;
    private static final int F_GETFL = 3;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final int PR_GET_DUMPABLE = 3;
    private static final int PR_SET_NAME = 15;
    private static final int PR_GET_NAME = 16;
    private static final int PR_GET_SECCOMP = 21;
    private static final int PR_SET_VMA = 0x5356_4d41;

    private SystemCalls() {}

    /**
     * @param process the caller, by its own number of it
     */
    static List<SystemCall> allowed(int process) {
        return List.of(
                // Waiting and waking: first, for they are the most frequent ones.
                call("futex", 202),
                call("futex_waitv", 449),
                call("sched_yield", 24),
                call("clock_gettime", 228),
                call("clock_getres", 229),
                call("clock_nanosleep", 230),
                call("nanosleep", 35),
                call("gettimeofday", 96),
                call("restart_syscall", 219),
                // Memory. Code is compiled here, so it may become executable.
                call("mmap", 9),
                call("munmap", 11),
                call("mremap", 25),
                call("mprotect", 10),
                call("madvise", 28),
                call("mincore", 27),
                call("brk", 12),
                call("membarrier", 324),
                call("memfd_create", 319),
                // What is open.
                call("read", 0),
                call("readv", 19),
                call("pread64", 17),
                call("write", 1),
                call("writev", 20),
                call("pwrite64", 18),
                call("lseek", 8),
                call("close", 3),
                call("dup", 32),
                call(
                        "fcntl",
                        72,
                        oneOf(
                                1,
                                F_DUPFD,
                                F_DUPFD_CLOEXEC,
                                F_GETFD,
                                F_SETFD,
                                F_GETFL,
                                F_ADD_SEALS,
                                F_GET_SEALS)),
                call("fstat", 5),
                call("ftruncate", 77),
                call("fallocate", 285),
                call("fadvise64", 221),
                // By a descriptor alone: with an empty path they ask of what is open already, with
                // another one of the files of the worker's own root.
                call("newfstatat", 262),
                call("statx", 332),
                // Connections that were handed over.
                call("sendmsg", 46),
                call("recvmsg", 47),
                call("sendto", 44),
                call("recvfrom", 45),
                call("shutdown", 48),
                call("getsockopt", 55, oneOf(1, SOL_SOCKET), oneOf(2, SO_PEERCRED)),
                call("setsockopt", 54, oneOf(1, SOL_SOCKET), oneOf(2, SO_RCVTIMEO, SO_SNDTIMEO)),
                call("poll", 7),
                call("ppoll", 271),
                call("epoll_create1", 291),
                call("epoll_ctl", 233),
                call("epoll_wait", 232),
                call("epoll_pwait", 281),
                call("eventfd2", 290),
                // Threads, and no processes.
                call(
                        "clone",
                        56,
                        bits(0, CLONE_THREAD_AND_MEMORY | CLONE_OTHERS, CLONE_THREAD_AND_MEMORY)),
                call("set_robust_list", 273),
                call("rseq", 334),
                call("set_tid_address", 218),
                call("exit", 60),
                call("exit_group", 231),
                call("sched_getaffinity", 204),
                call("sched_setaffinity", 203),
                call("sched_setattr", 314),
                call("sched_getattr", 315),
                call("sched_getparam", 143),
                call("sched_getscheduler", 145),
                call("getpriority", 140),
                call(
                        "prctl",
                        157,
                        oneOf(
                                0,
                                PR_SET_NAME,
                                PR_GET_NAME,
                                PR_GET_DUMPABLE,
                                PR_GET_SECCOMP,
                                PR_SET_VMA)),
                // Signals, to itself alone.
                call("rt_sigaction", 13),
                call("rt_sigprocmask", 14),
                call("rt_sigreturn", 15),
                call("rt_sigtimedwait", 128),
                call("sigaltstack", 131),
                call("tgkill", 234, oneOf(0, process)),
                call("kill", 62, oneOf(0, process)),
                // Who and where it is.
                call("getpid", 39),
                call("gettid", 186),
                call("getppid", 110),
                call("getuid", 102),
                call("geteuid", 107),
                call("getgid", 104),
                call("getegid", 108),
                call("getcpu", 309),
                call("getrandom", 318),
                call("getrusage", 98),
                call("times", 100),
                call("sysinfo", 99),
                call("uname", 63),
                call("prlimit64", 302, oneOf(0, 0), none(2)),
                call("getrlimit", 97));
    }

    /**
     * Fails with ENOSYS: its flags lie in memory, where no filter sees them; libraries then use
     * clone.
     */
    static final SystemCall CLONE3 = call("clone3", 435);

    /** End the process. */
    static final List<SystemCall> ATTACKS =
            List.of(
                    call("execve", 59),
                    call("execveat", 322),
                    call("fork", 57),
                    call("vfork", 58),
                    call("ptrace", 101),
                    call("process_vm_readv", 310),
                    call("process_vm_writev", 311),
                    call("pidfd_getfd", 438),
                    call("kcmp", 312),
                    call("open_by_handle_at", 304),
                    call("bpf", 321),
                    call("perf_event_open", 298),
                    call("userfaultfd", 323),
                    call("io_uring_setup", 425),
                    call("io_uring_enter", 426),
                    call("io_uring_register", 427),
                    call("add_key", 248),
                    call("request_key", 249),
                    call("keyctl", 250),
                    call("unshare", 272),
                    call("setns", 308),
                    call("mount", 165),
                    call("umount2", 166),
                    call("pivot_root", 155),
                    call("chroot", 161),
                    call("open_tree", 428),
                    call("move_mount", 429),
                    call("fsopen", 430),
                    call("mount_setattr", 442),
                    call("init_module", 175),
                    call("finit_module", 313),
                    call("delete_module", 176),
                    call("kexec_load", 246),
                    call("kexec_file_load", 320),
                    call("reboot", 169),
                    call("iopl", 172),
                    call("ioperm", 173),
                    call("modify_ldt", 154),
                    call("personality", 135),
                    call("setuid", 105),
                    call("setgid", 106),
                    call("setreuid", 113),
                    call("setregid", 114),
                    call("setgroups", 116),
                    call("setresuid", 117),
                    call("setresgid", 119),
                    call("capset", 126));
}
