package facet.jit.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.jit.texture.TextureTable;
import facet.ptx.Space;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Matrices, their rows and bulk copies: whether so many bytes at an address may be touched, against
 * arithmetic that knows no ends, at the numbers where arithmetic of 32 and 64 bits has them.
 */
final class RangesTest {
    private static final long BASE = 0x7000_0000_0000L;
    private static final long SIZE = 1 << 20;
    private static final long DELTA = 0x1234_5000L;
    private static final long PEER = 0x7100_0000_0000L;
    private static final long PEER_SIZE = 4096;
    private static final long PEER_DELTA = -0x55_0000L;

    /** What may be read alone; right behind what may be written. */
    private static final long TEXT = PEER + PEER_SIZE;

    private static final long TEXT_SIZE = 2048;
    private static final int SHARED = 48 << 10;
    private static final int LOCAL = 512;
    private static final long SHARED_AT = 0x10_0000L;
    private static final long LOCAL_AT = 0x20_0000L;
    private static final int THREAD = 5;

    private static final long[] NEAR = {
        0,
        BASE,
        BASE + SIZE,
        PEER,
        TEXT,
        TEXT + TEXT_SIZE,
        SHARED,
        LOCAL,
        Windows.SHARED,
        Windows.SHARED + SHARED,
        Windows.LOCAL,
        Windows.LOCAL + LOCAL,
        Windows.SHARED + Windows.SIZE,
        Windows.PARAMETER,
        1L << 31,
        1L << 32,
        -(1L << 31),
        -(1L << 32),
        1L << 47,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final long[] SIZES = {
        1, 2, 8, 16, 32, 512, LOCAL, PEER_SIZE, SHARED, SIZE, 1L << 31, (1L << 32) - 16, 1L << 32
    };

    private static Block block() {
        // Both lie side by side in this process too: what goes over the border may be read.
        PeerWindows windows =
                PeerWindows.of(
                        List.of(new PeerWindows.Window(PEER, PEER_SIZE + TEXT_SIZE, PEER_DELTA)),
                        List.of(new PeerWindows.Window(PEER, PEER_SIZE, PEER_DELTA)));
        Grid grid =
                new Grid(
                        BASE,
                        SIZE,
                        DELTA,
                        windows,
                        TextureTable.EMPTY,
                        0,
                        0,
                        new long[0],
                        0,
                        1,
                        1,
                        1,
                        new Shape(32, 1, 1),
                        SHARED,
                        0,
                        LOCAL,
                        1,
                        0,
                        ClusterShape.NONE,
                        NoServices.NONE);
        return new Block(grid, 0, 0, SHARED_AT, LOCAL_AT);
    }

    private static boolean inside(long address, long bytes, long start, long size) {
        BigInteger first = new BigInteger(Long.toUnsignedString(address));
        BigInteger end = first.add(BigInteger.valueOf(bytes));
        return first.compareTo(BigInteger.valueOf(start)) >= 0
                && end.compareTo(BigInteger.valueOf(start).add(BigInteger.valueOf(size))) <= 0;
    }

    /** Where the bytes are, or null. */
    private static @Nullable Long expected(
            @Nullable Space space, long address, long bytes, boolean writes) {
        if (space == Space.SHARED) {
            return inside(address, bytes, 0, SHARED) ? SHARED_AT + address : null;
        }
        if (space == null && inside(address, bytes, Windows.SHARED, SHARED)) {
            return SHARED_AT + address - Windows.SHARED;
        }
        if (space == null && inside(address, bytes, Windows.LOCAL, LOCAL)) {
            return LOCAL_AT + (long) THREAD * LOCAL + address - Windows.LOCAL;
        }
        if (inside(address, bytes, BASE, SIZE)) {
            return address + DELTA;
        }
        long size = writes ? PEER_SIZE : PEER_SIZE + TEXT_SIZE;
        return inside(address, bytes, PEER, size) ? address + PEER_DELTA : null;
    }

    private static void look(
            Block block,
            @Nullable Space space,
            long address,
            long bytes,
            int alignment,
            boolean writes) {
        Long expected =
                (address & (alignment - 1)) == 0 ? expected(space, address, bytes, writes) : null;
        Long found;
        try {
            found = Ranges.resolve(block, THREAD, space, address, bytes, alignment, writes, 7);
        } catch (KernelFault fault) {
            assertEquals(7, fault.line());
            assertEquals(THREAD, fault.thread());
            found = null;
        }
        assertEquals(
                expected,
                found,
                () -> "%s %x, %d bytes by %d".formatted(space, address, bytes, alignment));
    }

    @Test
    void aRangeIsInsideAsAWhole() {
        Block block = block();
        SplittableRandom random = new SplittableRandom(1);
        int fine = 0;
        for (int i = 0; i < 400_000; i++) {
            long bytes = SIZES[random.nextInt(SIZES.length)];
            long near = NEAR[random.nextInt(NEAR.length)];
            long by = random.nextInt(3) == 0 ? bytes : random.nextInt(64);
            long address = random.nextBoolean() ? near + by : near - by;
            int alignment = 1 << random.nextInt(5);
            Space space =
                    switch (random.nextInt(3)) {
                        case 0 -> Space.SHARED;
                        case 1 -> Space.GLOBAL;
                        default -> null;
                    };
            boolean writes = random.nextBoolean();
            look(block, space, address, bytes, alignment, writes);
            fine += expected(space, address, bytes, writes) == null ? 0 : 1;
        }
        assertTrue(fine > 10_000, "only " + fine + " were inside");
    }
}
