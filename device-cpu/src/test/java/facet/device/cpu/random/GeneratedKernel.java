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
        return (int) seed * 0x9E37_79B1 | 1;
    }

    /** What memory holds before. */
    byte[] memory() {
        long threads = grid.count() * block.count();
        long each = 32 + 4 * KernelGenerator.DENSE_PLANES;
        byte[] bytes = new byte[Math.toIntExact(KernelGenerator.OWN + each * threads)];
        SplittableRandom random = new SplittableRandom(seed + 1);
        byte[] start = new byte[KernelGenerator.TABLE];
        random.nextBytes(start);
        System.arraycopy(start, 0, bytes, 0, start.length);
        Memory memory = new Memory(0, bytes);
        for (int at = KernelGenerator.TABLE; at < KernelGenerator.OWN; at += 4) {
            memory.write(at, 4, Float.floatToRawIntBits((float) random.nextDouble(-1000, 1000)));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "// seed " + seed + ", grid " + grid + ", block " + block + "\n" + text();
    }
}
