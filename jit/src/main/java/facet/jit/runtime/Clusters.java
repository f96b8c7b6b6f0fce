package facet.jit.runtime;

/**
 * Shared memory of the blocks of a cluster, and where a block is in it. Generated code of kernels
 * that know clusters calls this.
 *
 * <p>In such kernels an address of shared memory names its block, so that it means the same to all
 * blocks of the cluster:
 *
 * <pre>
 *   63                             32 31        24 23                            0
 *  +---------------------------------+------------+-------------------------------+
 *  | 0, or the window of generic ones|    rank    |        byte of the block      |
 *  +---------------------------------+------------+-------------------------------+
 * </pre>
 *
 * A block that is alone has rank 0, and its addresses are those of kernels that know no clusters.
 */
public final class Clusters {
    private static final int RANK_SHIFT = 24;
    private static final int RANK_MASK = 0xff;

    /** Addresses that a block has, more than it has bytes. */
    public static final long BLOCK_WINDOW = 1L << RANK_SHIFT;

    private static final long OFFSET_MASK = BLOCK_WINDOW - 1;

    /** No cluster has so many blocks: accesses by such an address fault. */
    private static final int NOBODY = RANK_MASK;

    private Clusters() {}

    /** The first address of a block's shared memory. */
    static long base(int rank) {
        return (long) rank << RANK_SHIFT;
    }

    /**
     * Where so many bytes of the cluster's shared memory are in this process, or {@link
     * PeerWindows#NOWHERE}.
     *
     * @param address in {@code .shared::cluster}, whatever the kernel made of it
     * @param bytes at least 1
     */
    static long find(Block block, long address, long bytes) {
        long rank = address >>> RANK_SHIFT;
        if (rank >= block.members.length) {
            return PeerWindows.NOWHERE;
        }
        long offset = address & OFFSET_MASK;
        return Ranges.inside(offset, bytes, block.grid.sharedBytes())
                ? block.members[(int) rank].shared + offset
                : PeerWindows.NOWHERE;
    }

    /** The same for an access of generated code, which must be aligned. */
    public static long resolve(long address, Block block, int width) {
        long found =
                (address & (width - 1)) == 0 ? find(block, address, width) : PeerWindows.NOWHERE;
        if (found == PeerWindows.NOWHERE) {
            throw AccessUnsafe.fault(address, width);
        }
        return found;
    }

    /** {@code mapa} (PTX ISA 9.7.9.23): the same place in the shared memory of another block. */
    public static long map(long address, int rank) {
        if (!isShared(address)) {
            return address;
        }
        long named = Integer.compareUnsigned(rank, NOBODY) < 0 ? rank : NOBODY;
        return address & ~((long) RANK_MASK << RANK_SHIFT) | named << RANK_SHIFT;
    }

    /** {@code getctarank} (PTX ISA 9.7.9.24); all bits set where the address is nobody's. */
    public static int rankOf(long address, Block block) {
        long rank = address >>> RANK_SHIFT & RANK_MASK;
        return isShared(address) && rank < block.members.length ? (int) rank : -1;
    }

    private static boolean isShared(long address) {
        return Windows.contains(Windows.SHARED, address)
                || Long.compareUnsigned(address, Windows.SIZE) < 0;
    }

    /** {@code %clusterid}. */
    public static int cluster(Block block, int axis) {
        return number(block, axis) / size(block, axis);
    }

    /** {@code %nclusterid}. */
    public static int clusters(Block block, int axis) {
        Grid grid = block.grid;
        int blocks =
                switch (axis) {
                    case 0 -> grid.blocksX();
                    case 1 -> grid.blocksY();
                    default -> grid.blocksZ();
                };
        return blocks / size(block, axis);
    }

    /** {@code %cluster_ctaid}. */
    public static int place(Block block, int axis) {
        return number(block, axis) % size(block, axis);
    }

    /** {@code %cluster_nctaid}. */
    public static int size(Block block, int axis) {
        ClusterShape shape = block.grid.cluster();
        return switch (axis) {
            case 0 -> shape.x();
            case 1 -> shape.y();
            default -> shape.z();
        };
    }

    /** {@code %cluster_nctarank}. */
    public static int blocks(Block block) {
        return block.grid.cluster().blocks();
    }

    /** {@code %is_explicit_cluster}. */
    public static boolean isExplicit(Block block) {
        return block.grid.cluster().explicit();
    }

    private static int number(Block block, int axis) {
        return switch (axis) {
            case 0 -> block.blockX;
            case 1 -> block.blockY;
            default -> block.blockZ;
        };
    }
}
