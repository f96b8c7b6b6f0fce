package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/**
 * sendmsg and recvmsg with descriptors.
 *
 * <pre>
 *   msghdr   0 name   8 nameLength  16 parts   24 partCount  32 control  40 controlLength  48 flags
 *   cmsghdr  0 length (header and data)  8 level  12 type  16 data: descriptors, 4 bytes each
 *   iovec    0 address  8 length
 * </pre>
 *
 * <p>SAFETY: every structure is built here, in memory that lives until the call is over, with the
 * sizes that are told to the system. What it wrote is read within these sizes.
 */
final class MessageUnsafe {
    /** Descriptors a message may bring; the kernel closes what is beyond. */
    static final int DESCRIPTOR_LIMIT = 16;

    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int HEADER = 56;
    private static final int CONTROL_HEADER = 16;

    private static final MethodHandle SENDMSG = messageCall("sendmsg");
    private static final MethodHandle RECVMSG = messageCall("recvmsg");

    private MessageUnsafe() {}

    private static MethodHandle messageCall(String name) {
        return DowncallUnsafe.handle(
                name, FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    }

    /**
     * Bytes sent from {@code from} on, or minus errno.
     *
     * @param waits whether it blocks while the peer does not read
     */
    static long send(int socket, byte[] bytes, int from, int[] descriptors, boolean waits) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment data = scratch.allocate(Math.max(1, bytes.length - from));
            MemorySegment.copy(bytes, from, data, JAVA_BYTE, 0, bytes.length - from);
            MemorySegment control = MemorySegment.NULL;
            if (descriptors.length > 0) {
                control = control(scratch, descriptors.length);
                control.set(JAVA_LONG, 0, CONTROL_HEADER + 4L * descriptors.length);
                control.set(JAVA_INT, 8, SOL_SOCKET);
                control.set(JAVA_INT, 12, SCM_RIGHTS);
                MemorySegment.copy(
                        descriptors, 0, control, JAVA_INT, CONTROL_HEADER, descriptors.length);
            }
            MemorySegment header = header(scratch, data, bytes.length - from, control);
            MemorySegment state = DowncallUnsafe.state();
            int flags = waits ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT;
            return DowncallUnsafe.resultOf(
                    (long) SENDMSG.invokeExact(state, socket, header, flags), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** What came: {@code result} is the number of bytes, or minus errno. */
    record Received(long result, byte[] bytes, int[] descriptors, boolean cut) {}

    static Received receive(int socket, int maximumBytes) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment data = scratch.allocate(Math.max(1, maximumBytes));
            MemorySegment control = control(scratch, DESCRIPTOR_LIMIT);
            MemorySegment header = header(scratch, data, maximumBytes, control);
            MemorySegment state = DowncallUnsafe.state();
            long result =
                    DowncallUnsafe.resultOf(
                            (long) RECVMSG.invokeExact(state, socket, header, MSG_CMSG_CLOEXEC),
                            state);
            if (result < 0) {
                return new Received(result, new byte[0], new int[0], false);
            }
            int flags = header.get(JAVA_INT, 48);
            return new Received(
                    result,
                    data.asSlice(0, result).toArray(JAVA_BYTE),
                    descriptors(control.asSlice(0, header.get(JAVA_LONG, 40))),
                    (flags & (MSG_TRUNC | MSG_CTRUNC)) != 0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** The kernel puts all descriptors of a message in one control message. */
    private static int[] descriptors(MemorySegment control) {
        if (control.byteSize() < CONTROL_HEADER
                || control.get(JAVA_INT, 8) != SOL_SOCKET
                || control.get(JAVA_INT, 12) != SCM_RIGHTS) {
            return new int[0];
        }
        long count = (control.get(JAVA_LONG, 0) - CONTROL_HEADER) / 4;
        int[] descriptors = new int[(int) count];
        MemorySegment.copy(control, JAVA_INT, CONTROL_HEADER, descriptors, 0, descriptors.length);
        return descriptors;
    }

    private static MemorySegment control(SegmentAllocator scratch, int descriptors) {
        return scratch.allocate((CONTROL_HEADER + 4L * descriptors + 7) & ~7L, 8);
    }

    private static MemorySegment header(
            SegmentAllocator scratch, MemorySegment data, long bytes, MemorySegment control) {
        MemorySegment part = scratch.allocate(JAVA_LONG, 2);
        part.setAtIndex(JAVA_LONG, 0, data.address());
        part.setAtIndex(JAVA_LONG, 1, bytes);
        MemorySegment header = scratch.allocate(HEADER, 8);
        header.set(JAVA_LONG, 16, part.address());
        header.set(JAVA_LONG, 24, 1);
        header.set(JAVA_LONG, 32, control.address());
        header.set(JAVA_LONG, 40, control.byteSize());
        return header;
    }
}
