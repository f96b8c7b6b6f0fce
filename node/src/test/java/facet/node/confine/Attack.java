package facet.node.confine;

import static facet.node.confine.CallsUnsafe.call;
import static facet.node.confine.CallsUnsafe.memory;
import static facet.node.confine.CallsUnsafe.text;

import java.util.function.ToLongFunction;

/**
 * What a worker that somebody has taken over tries. Each gives what the kernel answers: less than 0
 * is a refusal.
 */
@SuppressWarnings("ImmutableEnumChecker") // what each does is a function, and keeps nothing
enum Attack {
    READ_PASSWORDS(true, it -> open("/etc/passwd")),
    READ_ENVIRONMENT_OF_THE_FIRST_PROCESS(true, it -> open("/proc/1/environ")),
    READ_ENVIRONMENT_OF_THE_DAEMON(true, it -> open("/proc/" + it.daemon() + "/environ")),
    READ_ITS_OWN_MEMORY_FILE(true, it -> open("/proc/self/mem")),
    READ_ITS_OWN_CLASSES(false, it -> open(it.jar())),
    OPEN_MEMORY_OF_ANOTHER(true, it -> open("/proc/" + it.daemon() + "/fd/" + it.descriptor())),
    OPEN_THE_ROOT(false, it -> open("/")),
    WRITE_A_FILE(true, it -> call(2, text("/written"), 0101, 0777)),
    WRITE_INTO_THE_RUNTIME(
            true, it -> call(2, text(System.getProperty("java.home") + "/new"), 0101, 0777)),
    MAKE_A_DEVICE(true, it -> call(133, text("/disk"), 060666, 0xfe00)),
    REMOVE_ITS_CLASSES(true, it -> call(87, text(it.jar()))),
    WATCH_FILES(false, it -> call(294, 0)),
    OPEN_BY_HANDLE(true, it -> call(304, 0, memory(64), 0)),

    CONNECT_TO_THE_CONTROL_SOCKET(true, it -> connect(call(41, 1, 5, 0), it.control())),
    CONNECT_BY_ITS_OWN_CONNECTION(true, it -> connect(3, it.control())),
    CONNECT_TO_AN_ABSTRACT_NAME(true, it -> connectAbstract(it.hidden())),
    CONNECT_TO_HTTP(true, it -> connectLoopback(it.port())),
    A_SOCKET_OF_ANY_FAMILY(false, it -> families()),
    A_PAIR_OF_SOCKETS(false, it -> call(53, 1, 1, 0, memory(8))),
    LISTEN(true, it -> call(50, 3, 1)),

    FORK(false, it -> call(57)),
    FORK_BY_CLONE(false, it -> call(56, 17, 0, 0, 0, 0)),
    FORK_BY_CLONE_WITH_ITS_MEMORY(false, it -> call(56, 0x4100, 0, 0, 0, 0)),
    FORK_BY_CLONE3(false, it -> call(435, memory(88), 88)),
    RUN_A_PROGRAM(true, it -> call(59, text("/bin/sh"), 0, 0)),
    RUN_WHAT_IS_OPEN(true, it -> call(322, 4, text(""), 0, 0, 0x1000)),

    TRACE_THE_DAEMON(true, it -> call(101, 16, it.daemon(), 0, 0)),
    READ_THE_DAEMON(true, it -> vector(310, it.daemon())),
    WRITE_TO_THE_DAEMON(true, it -> vector(311, it.daemon())),
    READ_ANOTHER_WORKER(true, it -> vector(310, it.other())),
    TAKE_A_DESCRIPTOR_OF_THE_DAEMON(true, it -> call(434, it.daemon(), 0)),
    KILL_THE_DAEMON(true, it -> call(62, it.daemon(), 0)),
    KILL_A_THREAD_OF_THE_DAEMON(true, it -> call(234, it.daemon(), it.daemon(), 0)),
    KILL_ANOTHER_WORKER(true, it -> call(62, it.other(), 0)),
    KILL_ALL(true, it -> call(62, -1, 0)),
    QUEUE_A_SIGNAL(true, it -> call(129, it.daemon(), 10, memory(128))),

    BECOME_ROOT(true, it -> call(105, 0)),
    BECOME_THE_GROUP_OF_ROOT(true, it -> call(106, 0)),
    JOIN_GROUPS(true, it -> call(116, 0, 0)),
    TAKE_CAPABILITIES(true, it -> capabilities()),
    RAISE_A_LIMIT(true, it -> raise()),
    RAISE_ITS_PRIORITY(true, it -> call(141, 0, 0, -20)),
    LOCK_MEMORY(true, it -> call(149, memory(1 << 20), 1 << 20)),
    A_NEW_NAMESPACE(false, it -> call(272, 0x10000000)),
    A_NEW_NAMESPACE_OF_MOUNTS(true, it -> call(272, 0x00020000)),
    ENTER_A_NAMESPACE(true, it -> call(308, 3, 0)),
    ANOTHER_ROOT(true, it -> call(161, text("/"))),
    MOUNT(true, it -> call(165, 0, text("/tmp"), text("tmpfs"), 0, 0)),
    UNMOUNT(true, it -> call(166, text("/"), 2)),

    TYPE_INTO_A_TERMINAL(true, it -> call(16, 2, 0x5412, text("x"))),
    BE_TOLD_OF_PAGE_FAULTS(true, it -> call(323, 0)),
    LOAD_A_KERNEL_PROGRAM(true, it -> call(321, 5, memory(128), 128)),
    COUNT_EVENTS_OF_OTHERS(true, it -> call(298, memory(128), -1, 0, -1, 0)),
    A_RING_OF_CALLS(false, it -> call(425, 8, memory(128))),
    ASK_FOR_KEYS(false, it -> call(250, 0, -3, 0)),
    LOAD_A_MODULE(true, it -> call(313, 3, text(""), 0)),
    LET_OTHERS_LOOK_INSIDE(false, it -> call(157, 4, 1)),
    TAKE_THE_FILTER_OFF(false, it -> call(317, 1, 0, memory(16))),
    THE_SECOND_TABLE_OF_CALLS(false, it -> call(0x40000000L | 39)),
    THE_DOOR_OF_32_BIT_PROGRAMS(false, it -> CallsUnsafe.oldDoor());

    /** Whether it fails without the filter of system calls too: by what facet-confine did. */
    final boolean failsByPlace;

    private final ToLongFunction<Target> action;

    Attack(boolean failsByPlace, ToLongFunction<Target> action) {
        this.failsByPlace = failsByPlace;
        this.action = action;
    }

    /**
     * Whom it is aimed at.
     *
     * @param descriptor of a memory file of the daemon
     * @param hidden an abstract name that the daemon listens at
     */
    record Target(
            long daemon,
            long other,
            int descriptor,
            String jar,
            String control,
            String hidden,
            int port) {
        String line() {
            return String.join(
                    " ",
                    Long.toString(daemon),
                    Long.toString(other),
                    Integer.toString(descriptor),
                    jar,
                    control,
                    hidden,
                    Integer.toString(port));
        }
    }

    long run(Target target) {
        return action.applyAsLong(target);
    }

    private static long open(String path) {
        return call(257, -100, text(path), 0, 0);
    }

    private static long connect(long socket, String path) {
        long address = CallsUnsafe.address(path, false);
        return socket < 0 ? socket : call(42, socket, address, 110);
    }

    private static long connectAbstract(String name) {
        long socket = call(41, 1, 1, 0);
        long address = CallsUnsafe.address(name, true);
        return socket < 0 ? socket : call(42, socket, address, 3 + name.length());
    }

    private static long connectLoopback(int port) {
        long socket = call(41, 2, 1, 0);
        return socket < 0 ? socket : call(42, socket, CallsUnsafe.loopback(port), 16);
    }

    /** The first that is given, or the last refusal. */
    private static long families() {
        long result = -1;
        for (int family = 0; family <= 46; family++) {
            for (int kind = 1; kind <= 5; kind++) {
                result = call(41, family, kind, 0);
                if (result >= 0) {
                    return result;
                }
            }
        }
        return result;
    }

    /** process_vm_readv and process_vm_writev of one byte. */
    private static long vector(int number, long process) {
        long mine = CallsUnsafe.vector(memory(16), 1);
        long theirs = CallsUnsafe.vector(0x400000, 1);
        return call(number, process, mine, 1, theirs, 1, 0);
    }

    private static long capabilities() {
        return call(
                126, CallsUnsafe.numbers(0x20080522, 0), CallsUnsafe.numbers(-1, -1, 0, 0, 0, 0));
    }

    private static long raise() {
        return call(302, 0, 7, CallsUnsafe.vector(1 << 20, 1 << 20), 0);
    }
}
