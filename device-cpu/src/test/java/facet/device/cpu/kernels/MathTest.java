package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The math library against {@link StrictMath}. NVIDIA documents at most 2 units in the last place
 * for these functions in double and 4 in float, StrictMath is within 1.
 */
final class MathTest {
    private static final int DOUBLE_ULPS = 4;
    private static final int FLOAT_ULPS = 6;

    /** What the approximations may differ by, relative above 1 and absolute below. */
    private static final double FAST = 1e-5;

    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private record Function(String name, DoubleUnaryOperator operator) {}

    private static final List<Function> DOUBLES =
            List.of(
                    new Function("exp", StrictMath::exp),
                    new Function("log", v -> StrictMath.log(Math.abs(v) + 1e-3)),
                    new Function("sin", StrictMath::sin),
                    new Function("cos", StrictMath::cos),
                    new Function("tanh", StrictMath::tanh),
                    new Function("atan", StrictMath::atan),
                    new Function("cbrt", StrictMath::cbrt),
                    new Function("pow", v -> StrictMath.pow(Math.abs(v) + 0.5, 1.75)),
                    new Function("hypot", v -> StrictMath.hypot(v, 2)),
                    new Function("rsqrt", v -> 1 / Math.sqrt(Math.abs(v) + 1)));

    private static final List<Function> FLOATS =
            List.of(
                    new Function("exp", StrictMath::exp),
                    new Function("log", v -> StrictMath.log((float) Math.abs(v) + 1e-3f)),
                    new Function("sin", StrictMath::sin),
                    new Function("cos", StrictMath::cos),
                    new Function("tanh", StrictMath::tanh),
                    new Function("atan", StrictMath::atan),
                    new Function("cbrt", StrictMath::cbrt),
                    new Function("pow", v -> StrictMath.pow((float) Math.abs(v) + 0.5f, 1.75f)),
                    new Function("exp2", v -> StrictMath.pow(2, v)),
                    new Function(
                            "log2",
                            v -> StrictMath.log((float) Math.abs(v) + 0.25f) / StrictMath.log(2)));

    private static final List<Function> FASTS =
            List.of(
                    new Function("__expf", StrictMath::exp),
                    new Function("__logf", v -> StrictMath.log(Math.abs(v) + 1.5)),
                    new Function("__sinf", StrictMath::sin),
                    new Function("__cosf", StrictMath::cos),
                    new Function("__fdividef", v -> 1 / (Math.abs(v) + 1)),
                    new Function("rsqrtf", v -> 1 / Math.sqrt(Math.abs(v) + 1)),
                    new Function("sqrt.approx", v -> Math.sqrt(Math.abs(v) + 1)));

    /** The large arguments take the slow reduction of the angle. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 50, 1e6, 1e15})
    void doubles(double range) {
        double[] in = gpu.inputs().doubles(200, -range, range);
        in[0] = 0;
        long out = gpu.allocate(80L * in.length);
        gpu.kernel("math", "math_double").grid(2).block(128).run(gpu.upload(in), out, in.length);
        double[] found = gpu.doubles(out, 10 * in.length);
        for (int i = 0; i < found.length; i++) {
            Function function = DOUBLES.get(i % 10);
            double v = in[i / 10];
            double expected = function.operator.applyAsDouble(v);
            boolean good =
                    expected == found[i]
                            || Math.abs(expected - found[i]) <= DOUBLE_ULPS * Math.ulp(expected);
            assertTrue(good, function.name + "(" + v + ") = " + found[i] + ", not " + expected);
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {1, 50, 1e6f, 1e15f})
    void floats(float range) {
        float[] in = gpu.inputs().floats(200, -range, range);
        in[0] = 0;
        long out = gpu.allocate(40L * in.length);
        gpu.kernel("math", "math_float").grid(2).block(128).run(gpu.upload(in), out, in.length);
        float[] found = gpu.floats(out, 10 * in.length);
        for (int i = 0; i < found.length; i++) {
            Function function = FLOATS.get(i % 10);
            float v = in[i / 10];
            double exact = function.operator.applyAsDouble(v);
            float expected = (float) exact;
            boolean good =
                    expected == found[i]
                            || Math.abs(exact - found[i]) <= FLOAT_ULPS * Math.ulp(expected);
            assertTrue(good, function.name + "(" + v + ") = " + found[i] + ", not " + exact);
        }
    }

    @Test
    void approximations() {
        float[] in = gpu.inputs().floats(300, -3, 3);
        long out = gpu.allocate(28L * in.length);
        gpu.kernel("math", "math_fast").grid(3).block(100).run(gpu.upload(in), out, in.length);
        float[] found = gpu.floats(out, 7 * in.length);
        for (int i = 0; i < found.length; i++) {
            Function function = FASTS.get(i % 7);
            float v = in[i / 7];
            double expected = function.operator.applyAsDouble(v);
            boolean good = Math.abs(expected - found[i]) <= FAST * Math.max(1, Math.abs(expected));
            assertTrue(good, function.name + "(" + v + ") = " + found[i] + ", not " + expected);
        }
    }

    /** Correctly rounded operations, NaN and infinities included. */
    @Test
    void exact() {
        float[] a = gpu.inputs().floats(128, -2, 2);
        float[] b = gpu.inputs().floats(128, -2, 2);
        float[] special = {
            0f,
            1f,
            0.5f,
            1.5f,
            2.5f,
            -0.5f,
            1e-42f,
            3e38f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY
        };
        for (int i = 0; i < special.length; i++) {
            a[i] = special[i];
            b[2 * i] = special[i];
        }
        long out = gpu.allocate(40L * a.length);
        gpu.kernel("math", "math_exact")
                .block(128)
                .run(gpu.upload(a), gpu.upload(b), out, a.length);
        float[] expected = new float[10 * a.length];
        for (int i = 0; i < a.length; i++) {
            float x = a[i];
            float y = b[i];
            float[] row = {
                x / y,
                (float) Math.sqrt(Math.abs(x)),
                1 / y,
                Math.fma(x, y, 1f),
                Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.min(x, y),
                Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.max(x, y),
                (float) (x < 0 ? Math.ceil(x) : Math.floor(x)),
                Math.copySign(x, y),
                Float.isNaN(x) ? 0 : Math.clamp(x, 0f, 1f),
                (float) Math.rint(x)
            };
            System.arraycopy(row, 0, expected, 10 * i, 10);
        }
        assertArrayEquals(expected, gpu.floats(out, expected.length));
    }
}
