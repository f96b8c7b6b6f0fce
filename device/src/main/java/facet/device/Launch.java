package facet.device;

import org.jspecify.annotations.Nullable;

/**
 * One launch. The arguments are laid out as {@link Kernel#parameters} says.
 *
 * @param dynamicShared bytes of dynamic shared memory of a block
 * @param cooperative whether all blocks must be resident at once (grid synchronisation)
 * @param cluster blocks that run together and reach each other's shared memory; null: as the kernel
 *     says
 */
public record Launch(
        Kernel kernel,
        Dim grid,
        Dim block,
        int dynamicShared,
        boolean cooperative,
        @Nullable Dim cluster,
        byte[] arguments) {

    /** Sizes in x, y and z. */
    public record Dim(int x, int y, int z) {
        public static Dim of(int x) {
            return new Dim(x, 1, 1);
        }

        public static Dim of(int x, int y) {
            return new Dim(x, y, 1);
        }

        public long count() {
            return (long) x * y * z;
        }
    }

    /** Packs the arguments: Long, Integer, Short, Byte, Float, Double, or byte[] for a struct. */
    public static Launch of(Kernel kernel, Dim grid, Dim block, Object... arguments) {
        return new Launch(kernel, grid, block, 0, false, null, Arguments.pack(kernel, arguments));
    }

    public Launch withShared(int bytes) {
        return new Launch(kernel, grid, block, bytes, cooperative, cluster, arguments);
    }

    public Launch asCooperative() {
        return new Launch(kernel, grid, block, dynamicShared, true, cluster, arguments);
    }

    public Launch inClustersOf(Dim blocks) {
        return new Launch(kernel, grid, block, dynamicShared, cooperative, blocks, arguments);
    }
}
