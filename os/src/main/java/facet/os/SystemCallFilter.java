package facet.os;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link SystemCalls} as a program of the kernel's (classic BPF, seccomp(2)). It reads a structure:
 *
 * <pre>
 *   0 number   4 architecture   8 address of the caller   16 six arguments of 8 bytes
 * </pre>
 */
final class SystemCallFilter {
    private static final int ALLOW = 0x7fff_0000;
    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int ERROR = 0x0005_0000;
    private static final int ENOSYS = 38;
    private static final int X86_64 = 0xc000_003e; // AUDIT_ARCH_X86_64

    /** Numbers from here on are of x32, a second table of the same calls. */
    private static final int X32 = 0x4000_0000;

    private static final int ARCHITECTURE = 4;
    private static final int ARGUMENTS = 16;

    private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
    private static final int AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
    private static final int IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    private static final int IF_NOT_BELOW = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    private static final int RETURN = 0x06; // BPF_RET | BPF_K

    /** Of one instruction. */
    static final int BYTES = 8;

    private final List<Instruction> instructions = new ArrayList<>();

    /**
     * @param yes instructions to skip when the condition holds
     * @param no and when it does not
     */
    private record Instruction(int code, int yes, int no, int value) {}

    private SystemCallFilter() {}

    /** The program, as the kernel wants it. */
    static byte[] of(List<SystemCall> allowed, SystemCall missing, List<SystemCall> attacks) {
        SystemCallFilter filter = new SystemCallFilter();
        filter.add(LOAD, 0, 0, ARCHITECTURE);
        filter.add(IF_EQUAL, 1, 0, X86_64);
        filter.add(RETURN, 0, 0, KILL_PROCESS);
        filter.add(LOAD, 0, 0, 0);
        filter.add(IF_NOT_BELOW, 0, 1, X32);
        filter.add(RETURN, 0, 0, KILL_PROCESS);
        for (SystemCall each : allowed) {
            filter.allow(each);
        }
        filter.add(IF_EQUAL, 0, 1, missing.number());
        filter.add(RETURN, 0, 0, ERROR | ENOSYS);
        for (SystemCall each : attacks) {
            filter.add(IF_EQUAL, 0, 1, each.number());
            filter.add(RETURN, 0, 0, KILL_PROCESS);
        }
        filter.add(RETURN, 0, 0, ERROR | ErrnoUnsafe.EPERM);
        return filter.bytes();
    }

    private void add(int code, int yes, int no, int value) {
        instructions.add(new Instruction(code, yes, no, value));
    }

    private void allow(SystemCall call) {
        int jump = instructions.size();
        add(IF_EQUAL, 0, 0, call.number());
        for (SystemCall.Check each : call.checks()) {
            check(each);
        }
        add(RETURN, 0, 0, ALLOW);
        int length = instructions.size() - jump - 1;
        if (length > 255) {
            throw new IllegalArgumentException(call.name() + " has too many checks");
        }
        instructions.set(jump, new Instruction(IF_EQUAL, 0, length, call.number()));
    }

    /** Goes on behind it when the check holds. */
    private void check(SystemCall.Check check) {
        switch (check) {
            case SystemCall.Check.OneOf oneOf -> {
                add(LOAD, 0, 0, low(oneOf.argument()));
                int count = oneOf.values().size();
                for (int i = 0; i < count; i++) {
                    add(IF_EQUAL, count - i, 0, oneOf.values().get(i));
                }
                refuse();
            }
            case SystemCall.Check.Bits bits -> {
                add(LOAD, 0, 0, low(bits.argument()));
                add(AND, 0, 0, bits.mask());
                add(IF_EQUAL, 1, 0, bits.value());
                refuse();
            }
            case SystemCall.Check.Null none -> {
                for (int half : new int[] {0, Integer.BYTES}) {
                    add(LOAD, 0, 0, low(none.argument()) + half);
                    add(IF_EQUAL, 1, 0, 0);
                    refuse();
                }
            }
        }
    }

    private void refuse() {
        add(RETURN, 0, 0, ERROR | ErrnoUnsafe.EPERM);
    }

    private static int low(int argument) {
        return ARGUMENTS + Long.BYTES * argument;
    }

    private byte[] bytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(BYTES * instructions.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction each : instructions) {
            bytes.putShort((short) each.code());
            bytes.put((byte) each.yes());
            bytes.put((byte) each.no());
            bytes.putInt(each.value());
        }
        return bytes.array();
    }
}
