package facet.jit.matrix;

import facet.jit.math.F64;
import java.util.Objects;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code C += A B} over whole matrices by rows. Each element of C is a chain in the order of k: it
 * starts as C's, and each step adds the exact product and rounds once (fma). PTX leaves the order
 * and the rounding of sums open.
 */
final class Product {
    private static final VectorSpecies<Float> FLOATS =
            FloatVector.SPECIES_PREFERRED.length() > 8
                    ? FloatVector.SPECIES_256
                    : FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS =
            IntVector.SPECIES_PREFERRED.length() > 8
                    ? IntVector.SPECIES_256
                    : IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES =
            DoubleVector.SPECIES_PREFERRED.length() > 4
                    ? DoubleVector.SPECIES_256
                    : DoubleVector.SPECIES_PREFERRED;

    private Product() {}

    /** Each matrix begins at a place in its array: one of several may be there. */
    static void floats(
            float[] a, int atA, float[] b, int atB, float[] c, int atC, int m, int n, int k) {
        for (int j = 0; j < n; j += FLOATS.length()) {
            for (int i = 0; i < m; i += 4) {
                int row = atC + i * n + j;
                int left = atA + i * k;
                FloatVector c0 = FloatVector.fromArray(FLOATS, c, row);
                FloatVector c1 = FloatVector.fromArray(FLOATS, c, row + n);
                FloatVector c2 = FloatVector.fromArray(FLOATS, c, row + 2 * n);
                FloatVector c3 = FloatVector.fromArray(FLOATS, c, row + 3 * n);
                for (int x = 0; x < k; x++) {
                    FloatVector right = FloatVector.fromArray(FLOATS, b, atB + x * n + j);
                    c0 = FloatVector.broadcast(FLOATS, a[left + x]).fma(right, c0);
                    c1 = FloatVector.broadcast(FLOATS, a[left + k + x]).fma(right, c1);
                    c2 = FloatVector.broadcast(FLOATS, a[left + 2 * k + x]).fma(right, c2);
                    c3 = FloatVector.broadcast(FLOATS, a[left + 3 * k + x]).fma(right, c3);
                }
                c0.intoArray(c, row);
                c1.intoArray(c, row + n);
                c2.intoArray(c, row + 2 * n);
                c3.intoArray(c, row + 3 * n);
            }
        }
    }

    /**
     * The same where element {@code x} of a row of A meets another row of B than the x-th.
     *
     * @param partners which one, for each element of A
     */
    static void sparseFloats(
            float[] a, int[] partners, float[] b, float[] c, int m, int n, int elements) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j += FLOATS.length()) {
                FloatVector sum = FloatVector.fromArray(FLOATS, c, i * n + j);
                for (int x = i * elements; x < (i + 1) * elements; x++) {
                    FloatVector right = FloatVector.fromArray(FLOATS, b, partners[x] * n + j);
                    sum = FloatVector.broadcast(FLOATS, a[x]).fma(right, sum);
                }
                sum.intoArray(c, i * n + j);
            }
        }
    }

    /** Sums of products only: they have room, whatever C is. */
    static void integers(int[] a, int[] b, int[] c, int m, int n, int k) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j += INTS.length()) {
                IntVector sum = IntVector.zero(INTS);
                for (int x = 0; x < k; x++) {
                    sum = sum.add(IntVector.fromArray(INTS, b, x * n + j).mul(a[i * k + x]));
                }
                sum.intoArray(c, i * n + j);
            }
        }
    }

    static void sparseIntegers(
            int[] a, int[] partners, int[] b, int[] c, int m, int n, int elements) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j += INTS.length()) {
                IntVector sum = IntVector.zero(INTS);
                for (int x = i * elements; x < (i + 1) * elements; x++) {
                    sum = sum.add(IntVector.fromArray(INTS, b, partners[x] * n + j).mul(a[x]));
                }
                sum.intoArray(c, i * n + j);
            }
        }
    }

    /** Ones in common, or where they differ. */
    static void bits(int[] a, int[] b, int[] c, int m, int n, int words, boolean differ) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                int sum = 0;
                for (int x = 0; x < words; x++) {
                    int left = a[i * words + x];
                    int right = b[x * n + j];
                    sum += Integer.bitCount(differ ? left ^ right : left & right);
                }
                c[i * n + j] = sum;
            }
        }
    }

    static void doubles(
            double[] a, double[] b, double[] c, int m, int n, int k, Rounding rounding) {
        if (rounding != Rounding.NEAREST) {
            directed(a, b, c, m, n, k, rounding);
            return;
        }
        for (int i = 0; i < m; i += 2) {
            for (int j = 0; j < n; j += DOUBLES.length()) {
                DoubleVector c0 = DoubleVector.fromArray(DOUBLES, c, i * n + j);
                DoubleVector c1 = DoubleVector.fromArray(DOUBLES, c, (i + 1) * n + j);
                for (int x = 0; x < k; x++) {
                    DoubleVector right = DoubleVector.fromArray(DOUBLES, b, x * n + j);
                    c0 = DoubleVector.broadcast(DOUBLES, a[i * k + x]).fma(right, c0);
                    c1 = DoubleVector.broadcast(DOUBLES, a[(i + 1) * k + x]).fma(right, c1);
                }
                c0.intoArray(c, i * n + j);
                c1.intoArray(c, (i + 1) * n + j);
            }
        }
    }

    private static void directed(
            double[] a, double[] b, double[] c, int m, int n, int k, Rounding rounding) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double sum = c[i * n + j];
                for (int x = 0; x < k; x++) {
                    double left = a[i * k + x];
                    double right = b[x * n + j];
                    sum =
                            switch (rounding) {
                                case NEAREST -> F64.fmaRn(left, right, sum);
                                case ZERO -> F64.fmaRz(left, right, sum);
                                case DOWN -> F64.fmaRm(left, right, sum);
                                case UP -> F64.fmaRp(left, right, sum);
                            };
                }
                c[i * n + j] = sum;
            }
        }
    }

    /** C plus the products, cut at the ends of s32 or wrapped. */
    static void add(int[] c, int[] products, int size, boolean saturate) {
        Objects.checkFromIndexSize(0, size, c.length);
        for (int i = 0; i < size; i++) {
            int sum = c[i] + products[i];
            boolean over = ((c[i] ^ sum) & (products[i] ^ sum)) < 0;
            c[i] = over && saturate ? (c[i] >> 31) ^ Integer.MAX_VALUE : sum;
        }
    }
}
