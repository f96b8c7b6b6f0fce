package facet.bench;

import facet.bench.Workload.Data;
import facet.device.Launch.Dim;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The table of kernels; bench/README.md explains it and bench/baseline/workload.c has the same. */
final class Workloads {
    static final int LARGE = 1 << 24;
    static final int SGEMM = 512;
    static final int PARTIALS = 1024;
    static final int MANDELBROT = 1024;
    static final int MANDELBROT_LIMIT = 256;
    static final float MANDELBROT_STEP = 2.5f / 1024;
    static final int STENCIL = 2048;
    static final int BODIES = 4096;
    private static final int BLOCK = 256;
    private static final Dim TILE = Dim.of(16, 16);

    static final List<Workload> ALL =
            List.of(
                    new Workload(
                            "saxpy",
                            Dim.of(LARGE / BLOCK),
                            Dim.of(BLOCK),
                            List.of(LARGE, 2.5f),
                            () -> Data.floats(Inputs.values(1, LARGE), Inputs.values(0, LARGE)),
                            References::saxpy,
                            1e-6,
                            3772557436.42),
                    sgemm("sgemm_naive"),
                    sgemm("sgemm_tiled"),
                    new Workload(
                            "reduction",
                            Dim.of(PARTIALS),
                            Dim.of(BLOCK),
                            List.of(LARGE),
                            () -> Data.floats(new float[PARTIALS], Inputs.values(0, LARGE)),
                            References::reduction,
                            1e-5,
                            1077794851.77),
                    new Workload(
                            "histogram",
                            Dim.of(1024),
                            Dim.of(BLOCK),
                            List.of(LARGE),
                            () -> integers(256, MemorySegment.ofArray(Inputs.bytes(LARGE))),
                            References::histogram,
                            0,
                            1440161744),
                    new Workload(
                            "mandelbrot",
                            Dim.of(MANDELBROT / 16, MANDELBROT / 16),
                            TILE,
                            List.of(
                                    MANDELBROT,
                                    MANDELBROT,
                                    MANDELBROT_LIMIT,
                                    -2f,
                                    -1.25f,
                                    MANDELBROT_STEP,
                                    MANDELBROT_STEP),
                            () -> integers(MANDELBROT * MANDELBROT),
                            References::mandelbrot,
                            0,
                            8924901040.0),
                    new Workload(
                            "stencil",
                            Dim.of(STENCIL / 32, STENCIL / 8),
                            Dim.of(32, 8),
                            List.of(STENCIL, STENCIL, 0.5f, 0.125f),
                            () ->
                                    Data.floats(
                                            new float[STENCIL * STENCIL],
                                            Inputs.values(0, STENCIL * STENCIL)),
                            References::stencil,
                            1e-6,
                            268998216.059),
                    new Workload(
                            "nbody",
                            Dim.of(BODIES / BLOCK),
                            Dim.of(BLOCK),
                            List.of(BODIES, 0.01f),
                            () -> Data.floats(new float[4 * BODIES], Inputs.values(0, 4 * BODIES)),
                            References::nbody,
                            1e-4,
                            2673070276.41));

    private Workloads() {}

    static List<String> names() {
        return ALL.stream().map(Workload::name).toList();
    }

    private static Workload sgemm(String name) {
        int count = SGEMM * SGEMM;
        return new Workload(
                name,
                Dim.of(SGEMM / 16, SGEMM / 16),
                TILE,
                List.of(SGEMM),
                () ->
                        Data.floats(
                                new float[count], Inputs.values(0, count), Inputs.values(1, count)),
                References::sgemm,
                1e-5,
                4320652532.46);
    }

    private static Data integers(int count, MemorySegment... inputs) {
        return new Data(List.of(inputs), MemorySegment.ofArray(new int[count]), true);
    }
}
