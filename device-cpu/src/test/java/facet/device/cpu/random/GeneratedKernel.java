package facet.device.cpu.random;

import facet.device.Launch.Dim;

import java.util.SplittableRandom;

/** A random kernel and how to launch it. */
record GeneratedKernel(
        long seed, Dim grid, Dim block, String before, Node.Group statements, String after) {

    String text() {
        return before + statements.text() + after;
    }

    GeneratedKernel with(Node.Group fewer) {
        return new GeneratedKernel(seed, grid, block, before, fewer, after);
    }

    int argument() {
        return (int) seed * 0x9E37_79B1;
    }

    /** What memory holds before. */
    byte[] memory() {
        byte[] bytes = new byte[Math.toIntExact(KernelGenerator.OWN + 32 * grid.count() * block.count())];
        byte[] start = new byte[KernelGenerator.OWN];
        new SplittableRandom(seed + 1).nextBytes(start);
        System.arraycopy(start, 0, bytes, 0, start.length);
        return bytes;
    }

    @Override
    public String toString() {
        return "// seed " + seed + ", grid " + grid + ", block " + block + "\n" + text();
    }
}
