package facet.cli;

import facet.device.Context;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;

/** Renders the Mandelbrot set in a context. */
final class Mandelbrot implements AutoCloseable {
    static final int LIMIT = 256;
    static final Dim BLOCK = Dim.of(16, 16);

    private static final float LEFT = -2.2f;
    private static final float RIGHT = 1.0f;

    private final Context context;
    private final Stream stream;
    private final int width;
    private final int height;
    private final long pixels;
    private final double loadMilliseconds;
    private final double compileMilliseconds;
    private final Kernel kernel;

    /** A picture of this size; the time of loading and compiling is kept. */
    Mandelbrot(Context context, int width, int height) {
        this.context = context;
        this.width = width;
        this.height = height;
        String ptx = Gpu.ptx();
        long start = System.nanoTime();
        LoadedModule module = context.load(ptx);
        long loaded = System.nanoTime();
        this.kernel = module.kernel("mandelbrot");
        long compiled = System.nanoTime();
        this.loadMilliseconds = (loaded - start) / 1e6;
        this.compileMilliseconds = (compiled - loaded) / 1e6;
        this.stream = context.createStream();
        this.pixels = context.allocate(4L * width * height);
    }

    /** The picture and the time from the launch to its end. */
    record Frame(Picture picture, double milliseconds) {}

    Frame render() {
        float step = (RIGHT - LEFT) / width;
        float top = -step * height / 2;
        Launch launch =
                Launch.of(
                        kernel, grid(), BLOCK, width, height, LIMIT, LEFT, top, step, step, pixels);
        long start = System.nanoTime();
        stream.launch(launch);
        stream.synchronize();
        double milliseconds = (System.nanoTime() - start) / 1e6;
        int[] counts = new int[width * height];
        stream.copyFromDevice(MemorySegment.ofArray(counts), pixels);
        stream.synchronize();
        return new Frame(new Picture(width, height, LIMIT, counts), milliseconds);
    }

    Dim grid() {
        return Dim.of((width + BLOCK.x() - 1) / BLOCK.x(), (height + BLOCK.y() - 1) / BLOCK.y());
    }

    double loadMilliseconds() {
        return loadMilliseconds;
    }

    double compileMilliseconds() {
        return compileMilliseconds;
    }

    @Override
    public void close() {
        stream.close();
        context.free(pixels);
    }
}
