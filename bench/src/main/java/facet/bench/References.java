package facet.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import facet.bench.Workload.Data;

/**
 * Expected results, computed in double precision and in another order than the kernels, as
 * bench/baseline/references.c does. Mandelbrot alone repeats the float arithmetic, because an
 * iteration count has no tolerance.
 */
final class References {
    private References() {}

    static void saxpy(Data data, double[] expected) {
        for (int i = 0; i < expected.length; i++) {
            expected[i] = 2.5 * data.value(0, i) + data.output().getAtIndex(JAVA_FLOAT, i);
        }
    }

    static void sgemm(Data data, double[] expected) {
        int n = Workloads.SGEMM;
        for (int row = 0; row < n; row++) {
            for (int k = 0; k < n; k++) {
                double factor = data.value(0, row * n + k);
                for (int column = 0; column < n; column++) {
                    expected[row * n + column] += factor * data.value(1, k * n + column);
                }
            }
        }
    }

    static void reduction(Data data, double[] expected) {
        for (int i = 0; i < Workloads.LARGE; i++) {
            expected[i / 256 % expected.length] += data.value(0, i);
        }
    }

    static void histogram(Data data, double[] expected) {
        for (int i = 0; i < Workloads.LARGE; i++) {
            expected[Byte.toUnsignedInt(data.inputs().getFirst().get(JAVA_BYTE, i))]++;
        }
    }

    static void mandelbrot(Data data, double[] expected) {
        int n = Workloads.MANDELBROT;
        for (int i = 0; i < expected.length; i++) {
            int x = i % n;
            int y = i / n;
            float cx = Math.fma((float) x, Workloads.MANDELBROT_STEP, -2f);
            float cy = Math.fma((float) y, Workloads.MANDELBROT_STEP, -1.25f);
            expected[i] = escape(cx, cy);
        }
    }

    private static int escape(float cx, float cy) {
        float x = 0;
        float y = 0;
        for (int count = 0; count < Workloads.MANDELBROT_LIMIT; count++) {
            if (!(Math.fma(x, x, y * y) <= 4)) {
                return count;
            }
            float next = Math.fma(x, x, Math.fma(-y, y, cx));
            y = Math.fma(x + x, y, cy);
            x = next;
        }
        return Workloads.MANDELBROT_LIMIT;
    }

    static void stencil(Data data, double[] expected) {
        int n = Workloads.STENCIL;
        for (int y = 1; y < n - 1; y++) {
            for (int x = 1; x < n - 1; x++) {
                int at = y * n + x;
                double neighbours =
                        (double) data.value(0, at - n)
                                + data.value(0, at + n)
                                + data.value(0, at - 1)
                                + data.value(0, at + 1);
                expected[at] = 0.5 * data.value(0, at) + 0.125 * neighbours;
            }
        }
    }

    static void nbody(Data data, double[] expected) {
        int n = Workloads.BODIES;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double dx = (double) data.value(0, 4L * j) - data.value(0, 4L * i);
                double dy = (double) data.value(0, 4L * j + 1) - data.value(0, 4L * i + 1);
                double dz = (double) data.value(0, 4L * j + 2) - data.value(0, 4L * i + 2);
                double square = dx * dx + dy * dy + dz * dz + 0.01f;
                double pull = data.value(0, 4L * j + 3) / (square * Math.sqrt(square));
                expected[4 * i] += pull * dx;
                expected[4 * i + 1] += pull * dy;
                expected[4 * i + 2] += pull * dz;
            }
        }
    }
}
