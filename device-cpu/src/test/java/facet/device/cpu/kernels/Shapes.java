package facet.device.cpu.kernels;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Grids and blocks that tests are run with. */
final class Shapes {
    static final String ANY = "facet.device.cpu.kernels.Shapes#any";
    static final String WARPS = "facet.device.cpu.kernels.Shapes#warps";
    static final String POWERS = "facet.device.cpu.kernels.Shapes#powers";

    private static final int[] GRIDS = {1, 3, 17};

    private Shapes() {}

    record Shape(int grid, int block) {
        int threads() {
            return grid * block;
        }
    }

    /** Whole and broken warps. */
    static Stream<Shape> any() {
        return of(1, 31, 32, 33, 64, 100, 256, 1024);
    }

    /** Whole warps only. */
    static Stream<Shape> warps() {
        return of(32, 64, 96, 256, 1024);
    }

    static Stream<Shape> powers() {
        return of(1, 2, 16, 32, 64, 256, 1024);
    }

    private static Stream<Shape> of(int... blocks) {
        return IntStream.of(GRIDS)
                .boxed()
                .flatMap(grid -> IntStream.of(blocks).mapToObj(block -> new Shape(grid, block)));
    }
}
