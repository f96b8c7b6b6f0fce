package facet.jit.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.jit.texture.TextureTable;
import facet.ptx.Space;
import java.math.BigInteger;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which bytes of its cluster's shared memory a block reaches, against exact arithmetic. */
final class ClustersTest {
    private static final int BLOCKS = 3;
    private static final int SHARED = 96;
    private static final long BASE = 0x10_0000_0000L;

    /**
     * Of each block in this process: far from each other, and from all that is a device address.
     */
    private static final long[] AT = {0x1_1000, 0x1_0000, 0x1_2000};

    private static final long[] EDGES = {
        0,
        1L << 24,
        2L << 24,
        3L << 24,
        255L << 24,
        1L << 31,
        1L << 32,
        1L << 63,
        Windows.SHARED,
        Windows.SHARED + (1L << 24),
        Windows.SHARED + (2L << 24),
        Windows.SHARED + (3L << 24),
        Windows.SHARED + Windows.SIZE
    };

    private static Block[] cluster() {
        Grid grid =
                new Grid(
                        BASE,
                        64,
                        0,
                        PeerWindows.NONE,
                        TextureTable.EMPTY,
                        0,
                        0,
                        new long[0],
                        0,
                        2 * BLOCKS,
                        1,
                        1,
                        new Shape(32, 1, 1),
                        SHARED,
                        0,
                        0,
                        1,
                        0,
                        new ClusterShape(BLOCKS, 1, 1, true),
                        NoServices.NONE);
        Block[] blocks = new Block[BLOCKS];
        for (int rank = 0; rank < BLOCKS; rank++) {
            blocks[rank] = new Block(grid, 0, 0, AT[rank], 0);
        }
        for (int rank = 0; rank < BLOCKS; rank++) {
            blocks[rank].join(blocks, rank);
        }
        return blocks;
    }

    /** Where the bytes are, or null. */
    private static @Nullable Long expected(long address, long bytes) {
        BigInteger first = new BigInteger(Long.toUnsignedString(address));
        BigInteger end = first.add(new BigInteger(Long.toUnsignedString(bytes)));
        for (int rank = 0; rank < BLOCKS; rank++) {
            BigInteger start = BigInteger.valueOf(rank).shiftLeft(24);
            if (first.compareTo(start) >= 0
                    && end.compareTo(start.add(BigInteger.valueOf(SHARED))) <= 0) {
                return AT[rank] + first.subtract(start).longValueExact();
            }
        }
        return null;
    }

    private static @Nullable Long ranges(Block block, @Nullable Space space, long at, long bytes) {
        try {
            return Ranges.resolve(block, 0, space, at, bytes, 1, false, 1);
        } catch (KernelFault fault) {
            return null;
        }
    }

    private static @Nullable Long access(Block block, long at, int width) {
        try {
            return Clusters.resolve(at, block, width);
        } catch (KernelFault fault) {
            return null;
        }
    }

    private static @Nullable Long generic(Block block, long at, int width) {
        try {
            return Generic.resolve(block, 0, at, width);
        } catch (KernelFault fault) {
            return null;
        }
    }

    @Test
    void everyAddressIsInsideOfOneBlockOrNowhere() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        Random random = new Random(seed);
        Block[] blocks = cluster();
        for (int i = 0; i < 40_000; i++) {
            long edge = EDGES[random.nextInt(EDGES.length)];
            long address =
                    random.nextInt(20) == 0
                            ? random.nextLong()
                            : edge + random.nextLong(-2L * SHARED, 2L * SHARED);
            long bytes =
                    random.nextInt(4) == 0
                            ? EDGES[random.nextInt(EDGES.length)] + random.nextLong(1, 64)
                            : random.nextLong(1, 2 * SHARED);
            int width = 1 << random.nextInt(6);
            long aligned = address & -(long) width;
            Block block = blocks[random.nextInt(BLOCKS)];
            String text = "0x%x, %d bytes, seed %d".formatted(address, bytes, seed);
            assertEquals(
                    expected(address, bytes),
                    ranges(block, Space.SHARED_CLUSTER, address, bytes),
                    text);
            assertEquals(expected(aligned, width), access(block, aligned, width), text);
            boolean window = Windows.contains(Windows.SHARED, address);
            if (window) {
                long offset = address - Windows.SHARED;
                assertEquals(expected(offset, bytes), ranges(block, null, address, bytes), text);
                assertEquals(
                        expected(aligned - Windows.SHARED, width),
                        generic(block, aligned, width),
                        text);
            }
            Long own = expected(address, bytes);
            boolean mine = own != null && address >>> 24 == block.rank;
            assertEquals(mine ? own : null, ranges(block, Space.SHARED, address, bytes), text);
        }
    }

    @Test
    void misalignedIsNowhere() {
        Block[] blocks = cluster();
        assertThrows(KernelFault.class, () -> Clusters.resolve((1 << 24) + 2, blocks[0], 4));
        assertThrows(
                KernelFault.class,
                () -> Generic.resolve(blocks[0], 0, Windows.SHARED + (1 << 24) + 2, 4));
    }

    @Test
    void mapping() {
        Block[] blocks = cluster();
        assertEquals(0x0200_0040L, Clusters.map(0x40, 2));
        assertEquals(0x40L, Clusters.map(0x0200_0040L, 0));
        assertEquals(Windows.SHARED + 0x0100_0040L, Clusters.map(Windows.SHARED + 0x40, 1));
        assertEquals(0xff00_0040L, Clusters.map(0x40, -1));
        assertEquals(0xff00_0040L, Clusters.map(0x40, 256));
        assertEquals(BASE, Clusters.map(BASE, 1), "no shared address");
        assertEquals(2, Clusters.rankOf(0x0200_0040L, blocks[0]));
        assertEquals(1, Clusters.rankOf(Windows.SHARED + 0x0100_0040L, blocks[0]));
        assertEquals(-1, Clusters.rankOf(0x0300_0000L, blocks[0]), "no such block");
        assertEquals(-1, Clusters.rankOf(BASE, blocks[0]));
    }

    @Test
    void blocksByTheirRank() {
        Block[] blocks = cluster();
        for (Block each : blocks) {
            each.beginInCluster(1);
            assertEquals(BLOCKS + each.rank, each.blockX);
            assertEquals(1, Clusters.cluster(each, 0));
            assertEquals(2, Clusters.clusters(each, 0));
            assertEquals(each.rank, Clusters.place(each, 0));
            assertEquals(0, Clusters.place(each, 1));
        }
    }

    @Test
    void noClusterIsLargerThanSixteen() {
        assertThrows(IllegalArgumentException.class, () -> new ClusterShape(17, 1, 1, true));
        assertThrows(IllegalArgumentException.class, () -> new ClusterShape(4, 4, 2, true));
        assertThrows(IllegalArgumentException.class, () -> new ClusterShape(0, 1, 1, true));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ClusterShape(1 << 30, 1 << 30, 1 << 4, true));
    }
}
