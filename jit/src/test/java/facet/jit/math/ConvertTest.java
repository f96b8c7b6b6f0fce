package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every conversion against exact arithmetic; 16-bit sources exhaustively. */
class ConvertTest {
    private static final int RANDOM_CASES = 20_000;
    private static final List<String> FLOATS = List.of("F16", "Bf16", "F32", "F64");
    private static final List<String> ROUNDINGS = List.of("Rn", "Rz", "Rm", "Rp");
    private static final List<String> INTEGERS =
            List.of("S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64");

    static List<String> integerToFloat() {
        List<String> names = new ArrayList<>();
        for (String source : List.of("s32", "u32", "s64", "u64")) {
            FLOATS.forEach(d -> ROUNDINGS.forEach(r -> names.add(source + "To" + d + r)));
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("integerToFloat")
    void integerToFloat(String name) {
        Subject subject = Subject.of(Convert.class, name);
        int width = Integer.parseInt(name.substring(1, 3));
        Format format = format(name.substring(5, name.length() - 2));
        Rounding rounding = rounding(name);
        SplittableRandom random = new SplittableRandom(Values.SEED);
        LongStream any =
                LongStream.generate(() -> Integers.random(random, width)).limit(RANDOM_CASES);
        LongStream.concat(LongStream.of(Integers.edges(width)), any)
                .forEach(bits -> {
                    BigInteger value = integer(bits, name.startsWith("s"), width);
                    long expected = ExactReference.convert(value, format, rounding);
                    same(expected, subject.call(bits), subject, bits);
                });
    }

    static List<String> floatToInteger() {
        List<String> names = new ArrayList<>();
        for (String source : List.of("f32", "f64")) {
            INTEGERS.forEach(d -> ROUNDINGS.forEach(r -> names.add(source + "To" + d + r + "i")));
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("floatToInteger")
    void floatToInteger(String name) {
        Subject subject = Subject.of(Convert.class, name);
        Format format = format(name.substring(0, 3));
        String type = name.substring(5, name.length() - 3);
        boolean signed = type.startsWith("S");
        int width = Integer.parseInt(type.substring(1));
        Rounding rounding = rounding(name.substring(0, name.length() - 1));
        boolean zeroForNan = format == Format.F32 && width <= 32;
        nearIntegers(format)
                .forEach(bits -> {
                    double value = format.value(bits);
                    BigInteger exact = Rational.of(value).toIntegral(rounding);
                    if (Double.isInfinite(value)) {
                        exact = BigInteger.valueOf((long) Math.signum(value)).shiftLeft(70);
                    }
                    long clamped = Integers.clamp(exact, signed, width).longValue();
                    long nan = zeroForNan ? 0 : 1L << (width - 1);
                    long expected = Double.isNaN(value) ? nan : clamped;
                    long mask = Integers.mask(width);
                    same(expected & mask, subject.call(bits), subject, bits);
                });
    }

    /** Edges, random numbers, and the surroundings of integers and of half integers. */
    private static LongStream nearIntegers(Format format) {
        LongStream halves =
                LongStream.of(Integers.edges(64))
                        .flatMap(value -> LongStream.of(2 * value - 1, 2 * value, 2 * value + 1))
                        .mapToDouble(twice -> twice * 0.5)
                        .mapToLong(x -> ExactReference.convert(x, format, Rounding.RN))
                        .flatMap(bits -> LongStream.of(bits - 1, bits, bits + 1));
        Values values = new Values(format);
        SplittableRandom random = new SplittableRandom(Values.SEED);
        LongStream scaled =
                LongStream.generate(() -> bits(values.next(), format)).limit(RANDOM_CASES / 2);
        LongStream sized =
                LongStream.generate(() ->
                                bits(
                                        Math.scalb(random.nextDouble(-1, 1), random.nextInt(70)),
                                        format))
                        .limit(RANDOM_CASES / 2);
        LongStream edges = LongStream.of(Values.edgeBits(format));
        return LongStream.concat(
                LongStream.concat(edges, halves), LongStream.concat(scaled, sized));
    }

    private static long bits(double value, Format format) {
        long bits = ExactReference.convert(value, format, Rounding.RN);
        return bits == ExactReference.NAN ? format.infinity() + 1 : bits;
    }

    static List<String> narrowing() {
        List<String> names = new ArrayList<>();
        for (String pair :
                List.of(
                        "f64ToF32",
                        "f64ToF16",
                        "f64ToBf16",
                        "f32ToF16",
                        "f32ToBf16",
                        "f16ToBf16",
                        "bf16ToF16")) {
            ROUNDINGS.forEach(rounding -> names.add(pair + rounding));
        }
        names.addAll(List.of("f32ToTf32Rn", "f32ToTf32Rz", "f32ToTf32Rna"));
        return names;
    }

    @ParameterizedTest
    @MethodSource("narrowing")
    void narrowing(String name) {
        Subject subject = Subject.of(Convert.class, name);
        Format source = format(name.substring(0, name.indexOf("To")));
        Format target = format(name.substring(name.indexOf("To") + 2, name.lastIndexOf('R')));
        Rounding rounding = rounding(name);
        around(source, target)
                .forEach(bits -> {
                    double value = source.value(bits);
                    long expected = ExactReference.convert(value, target, rounding);
                    same(expected, target(subject.call(bits), target), subject, bits);
                });
    }

    /** tf32 occupies the upper 19 of 32 bits; the rest has to be zero, but for the NaN. */
    private static long target(long bits, Format target) {
        if (target != Format.TF32) {
            return target.isNan(bits) ? ExactReference.NAN : bits;
        }
        if (bits == 0x7fff_ffffL) {
            return ExactReference.NAN;
        }
        assertEquals(0, bits & 0x1fff, "low bits of tf32");
        return bits >>> 13;
    }

    /** Values of the target, their midpoints, and the neighbours of both in the source. */
    private static LongStream around(Format source, Format target) {
        if (source.precision < 24) {
            return LongStream.range(0, 0x10000);
        }
        SplittableRandom random = new SplittableRandom(Values.SEED);
        LongStream points =
                LongStream.concat(
                                LongStream.of(Values.edgeBits(target)),
                                random.longs(3_000, 0, target.infinity()))
                        .flatMap(bits -> {
                            double value = target.value(bits);
                            double middle = (value + target.value(bits + 1)) / 2;
                            return LongStream.of(bits(value, source), bits(middle, source));
                        })
                        .flatMap(bits -> LongStream.of(bits - 1, bits, bits + 1))
                        .filter(bits -> bits >= 0)
                        .flatMap(bits -> LongStream.of(bits, bits ^ source.signBit()));
        LongStream edges = LongStream.of(Values.edgeBits(source));
        LongStream any = random.longs(RANDOM_CASES, 0, source.infinity());
        return LongStream.concat(LongStream.concat(edges, any), points);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f16ToF32", "f16ToF64", "bf16ToF32", "bf16ToF64"})
    void widening(String name) {
        Subject subject = Subject.of(Convert.class, name);
        Format source = format(name.substring(0, name.indexOf("To")));
        Format target = format(name.substring(name.indexOf("To") + 2));
        for (long bits = 0; bits < 0x10000; bits++) {
            long expected = ExactReference.convert(source.value(bits), target, Rounding.RN);
            same(expected, target(subject.call(bits), target), subject, bits);
        }
    }

    static List<String> integral() {
        List<String> names = new ArrayList<>();
        FLOATS.forEach(f -> ROUNDINGS.forEach(r -> names.add(f.toLowerCase() + r + "i")));
        return names;
    }

    @ParameterizedTest
    @MethodSource("integral")
    void roundsToIntegralValue(String name) {
        Subject subject = Subject.of(Convert.class, name);
        Format format = format(name.substring(0, name.indexOf('R')));
        Rounding rounding = rounding(name.substring(0, name.length() - 1));
        LongStream operands =
                format.precision < 24 ? LongStream.range(0, 0x10000) : nearIntegers(format);
        operands.forEach(bits -> {
            double value = format.value(bits);
            Rational whole = Rational.of(Rational.of(value).toIntegral(rounding));
            long expected =
                    Double.isFinite(value)
                            ? ExactReference.round(whole, value, format, Rounding.RN)
                            : ExactReference.convert(value, format, Rounding.RN);
            same(expected, target(subject.call(bits), format), subject, bits);
        });
    }

    static List<String> saturation() {
        List<String> names = new ArrayList<>();
        for (String type : INTEGERS) {
            for (String source : List.of("S64", "U64")) {
                if (!type.equals(source)) {
                    names.add("sat" + type + "From" + source);
                }
            }
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("saturation")
    void saturatesIntegers(String name) {
        Subject subject = Subject.of(Convert.class, name);
        String type = name.substring(3, name.indexOf("From"));
        int width = Integer.parseInt(type.substring(1));
        SplittableRandom random = new SplittableRandom(Values.SEED);
        LongStream any = LongStream.generate(() -> Integers.random(random, 64)).limit(RANDOM_CASES);
        LongStream.concat(LongStream.of(Integers.edges(64)), any)
                .forEach(bits -> {
                    BigInteger value = integer(bits, name.endsWith("S64"), 64);
                    BigInteger clamped = Integers.clamp(value, type.startsWith("S"), width);
                    long expected = clamped.longValue() & Integers.mask(width);
                    same(expected, subject.call(bits), subject, bits);
                });
    }

    private static BigInteger integer(long bits, boolean signed, int width) {
        return signed ? Integers.signed(bits, width) : Integers.unsigned(bits, width);
    }

    private static Format format(String name) {
        return Format.valueOf(name.toUpperCase());
    }

    private static Rounding rounding(String name) {
        return Rounding.valueOf(name.substring(name.lastIndexOf('R')).toUpperCase());
    }

    private static void same(long expected, long actual, Subject subject, long operand) {
        if (expected != actual) {
            assertEquals(
                    Long.toHexString(expected),
                    Long.toHexString(actual),
                    subject + " of 0x" + Long.toHexString(operand) + Values.seed());
        }
    }
}
