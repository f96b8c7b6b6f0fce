package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SharedMemoryTest {
    @Test
    void twoMappingsShowTheSame() throws IOException {
        try (SharedMemoryUnsafe first = SharedMemoryUnsafe.create("test", 10_000);
                SharedMemoryUnsafe second =
                        SharedMemoryUnsafe.attach(Descriptors.duplicate(first.descriptor()))) {
            assertEquals(10_000, second.bytes());
            assertEquals(first.address(), first.segment().address());
            first.segment().set(JAVA_LONG, 8, 42);
            assertEquals(42, second.segment().get(JAVA_LONG, 8));
        }
    }

    @Test
    void piecesLieSideBySide() throws IOException {
        try (SharedMemoryUnsafe first = SharedMemoryUnsafe.create("test", 16_384);
                SharedMemoryUnsafe second = SharedMemoryUnsafe.create("test", 8192);
                StitchedUnsafe both =
                        StitchedUnsafe.of(
                                List.of(
                                        new StitchedUnsafe.Piece(second.descriptor(), 4096, 4096),
                                        new StitchedUnsafe.Piece(first.descriptor(), 8192, 8192),
                                        new StitchedUnsafe.Piece(first.descriptor(), 0, 4096)))) {
            assertEquals(16_384, both.segment().byteSize());
            both.segment().set(JAVA_LONG, 4088, 1);
            both.segment().set(JAVA_LONG, 4096, 2);
            both.segment().set(JAVA_LONG, 12_288, 3);
            assertEquals(1, second.segment().get(JAVA_LONG, 8184));
            assertEquals(2, first.segment().get(JAVA_LONG, 8192));
            assertEquals(3, first.segment().get(JAVA_LONG, 0));
        }
        assertThrows(IllegalArgumentException.class, () -> new StitchedUnsafe.Piece(1, 100, 4096));
    }

    @Test
    void randomNumbersDiffer() {
        assertEquals(100, LongStream.generate(RandomUnsafe::next).limit(100).distinct().count());
    }

    @Test
    void sizeIsSealed() throws IOException {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 8192)) {
            assertEquals(-ErrnoUnsafe.EPERM, MemoryFileUnsafe.resize(memory.descriptor(), 4096));
            assertEquals(-ErrnoUnsafe.EPERM, MemoryFileUnsafe.resize(memory.descriptor(), 16384));
            assertEquals(-ErrnoUnsafe.EPERM, MemoryFileUnsafe.seal(memory.descriptor(), 8));
        }
    }

    @Test
    void manyGibibytesAreSparse() throws IOException {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 256L << 30)) {
            memory.segment().set(JAVA_BYTE, (256L << 30) - 1, (byte) 7);
            assertEquals(7, memory.segment().get(JAVA_BYTE, (256L << 30) - 1));
            assertTrue(blocks(memory) < 16384, "512-byte blocks: " + blocks(memory));
        }
    }

    @Test
    void punchZeroesExactlyTheRangeAndGivesPagesBack() throws IOException {
        long bytes = 8 << 20;
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", bytes);
                SharedMemoryUnsafe other =
                        SharedMemoryUnsafe.attach(Descriptors.duplicate(memory.descriptor()))) {
            for (long[] range : new long[][] {{100, 50}, {4097, 200_000}, {4 << 20, 4 << 20}}) {
                memory.segment().fill((byte) 1);
                long before = blocks(memory);
                memory.punch(range[0], range[1]);
                // Looked at now: reading takes pages again.
                long given = before - blocks(memory);
                long end = range[0] + range[1];
                assertEquals(1, other.segment().get(JAVA_BYTE, range[0] - 1));
                for (long at = range[0]; at < end; at++) {
                    assertEquals(0, other.segment().get(JAVA_BYTE, at), "at " + at);
                }
                if (end < bytes) {
                    assertEquals(1, other.segment().get(JAVA_BYTE, end));
                } else {
                    assertEquals(range[1] / 512, given);
                }
            }
        }
    }

    @Test
    void punchGivesFewPagesBackAndTakesNone() throws IOException {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 64 << 10)) {
            memory.punch(8192, 4096);
            assertEquals(0, blocks(memory));
            assertFalse(memory.isUsed(0, 64 << 10));
            memory.segment().fill((byte) 1);
            memory.punch(8192, 4096);
            memory.punch(32 << 10, 32 << 10);
            assertEquals((64 - 4 - 32) * 2, blocks(memory));
            assertFalse(memory.isUsed(8192, 4096));
            assertTrue(memory.isUsed(8192, 4097));
            assertFalse(memory.isUsed(32 << 10, 32 << 10));
        }
    }

    @Test
    void copyingLeavesHolesAndNeighboursAlone() throws IOException {
        long bytes = 16 << 20;
        try (SharedMemoryUnsafe from = SharedMemoryUnsafe.create("from", bytes);
                SharedMemoryUnsafe to = SharedMemoryUnsafe.create("to", bytes)) {
            from.segment().asSlice(4000, 10_000).fill((byte) 3);
            from.segment().asSlice(9 << 20, 1 << 20).fill((byte) 4);
            from.pieces(5000, (9 << 20) + 100_000 - 5000, () -> false, to::write);
            assertTrue(blocks(to) * 512 < 1 << 20, blocks(to) + " blocks");
            assertEquals(0, to.segment().get(JAVA_BYTE, 4999));
            assertEquals(
                    -1,
                    from.segment().asSlice(5000, 9000).mismatch(to.segment().asSlice(5000, 9000)));
            assertEquals(0, to.segment().get(JAVA_BYTE, 14_000));
            assertEquals(4, to.segment().get(JAVA_BYTE, 9 << 20));
            assertEquals(4, to.segment().get(JAVA_BYTE, (9 << 20) + 99_999));
            assertEquals(0, to.segment().get(JAVA_BYTE, (9 << 20) + 100_000));
            from.pieces(10 << 20, 6 << 20, () -> false, to::write);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> from.pieces(1, bytes, () -> false, to::write));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> to.write(bytes - 1, from.segment().asSlice(0, 2)));
        }
    }

    @Test
    void accessAfterCloseThrows() throws IOException {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 4096);
        memory.close();
        memory.close();
        assertThrows(IllegalStateException.class, () -> memory.segment().get(JAVA_BYTE, 0));
    }

    @Test
    void unsealedMemoryIsRefusedAndClosed() {
        int unsealed = MemoryFileUnsafe.create("unsealed");
        assertEquals(0, MemoryFileUnsafe.resize(unsealed, 4096));
        SystemCallException refused =
                assertThrows(SystemCallException.class, () -> SharedMemoryUnsafe.attach(unsealed));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("F_SEAL_SHRINK"),
                refused.getMessage());
        assertFalse(Descriptors.isOpen(unsealed));
    }

    @Test
    void whatIsNoMemoryIsRefused() throws IOException {
        int socket = SocketUnsafe.open(SocketKind.STREAM);
        assertThrows(SystemCallException.class, () -> SharedMemoryUnsafe.attach(socket));
        assertFalse(Descriptors.isOpen(socket));
    }

    /** Blocks of 512 bytes that the file really has; the JDK does not tell. */
    private static long blocks(SharedMemoryUnsafe memory) throws IOException {
        String file = "/proc/" + ProcessHandle.current().pid() + "/fd/" + memory.descriptor();
        Process stat = new ProcessBuilder("stat", "-L", "-c", "%b", file).start();
        byte[] answer = stat.getInputStream().readAllBytes();
        return Long.parseLong(new String(answer, StandardCharsets.US_ASCII).strip());
    }
}
