package facet.jit.matrix;

import facet.jit.runtime.Block;
import facet.jit.runtime.WarpTask;
import org.jspecify.annotations.Nullable;

/**
 * {@code mma} and {@code wmma.mma}: {@code D = A B + C}.
 *
 * @param count of matrices: four for {@code m8n8k4} of f16, else one
 * @param mode what differs by type
 * @param sparse how A leaves out elements; null where it has them all
 */
public record Multiplication(
        Fragment fragmentA,
        Fragment fragmentB,
        Fragment fragmentC,
        Fragment fragmentD,
        int count,
        Registers d,
        Registers a,
        Registers b,
        Registers c,
        Mode mode,
        @Nullable Sparsity sparse)
        implements WarpTask {

    /**
     * @param saturate sums of integers stay inside of s32
     * @param differ of single bits those that differ count, not those in common
     */
    public record Mode(Rounding rounding, boolean saturate, boolean differ) {}

    @Override
    public void perform(Block block, int first, int end, int living, int line) {
        Scratch scratch = Scratch.own();
        if (sparse != null) {
            sparse.partners(block, first, end, living, fragmentA, scratch);
        }
        switch (fragmentA.element().group()) {
            case FLOAT -> floats(block, first, end, living, scratch);
            case DOUBLE -> doubles(block, first, end, living, scratch);
            case INTEGER, BITS -> integers(block, first, end, living, scratch);
        }
    }

    private int rows() {
        return fragmentA.rows() / count;
    }

    private int columns() {
        return fragmentC.columns();
    }

    /** Of A, which is half of B's rows where it is sparse. */
    private int depth() {
        return fragmentA.columns();
    }

    private void floats(Block block, int first, int end, int living, Scratch scratch) {
        a.read(block, first, end, living, scratch.words);
        Elements.floats(fragmentA, scratch, scratch.floatA);
        b.read(block, first, end, living, scratch.words);
        Elements.floats(fragmentB, scratch, scratch.floatB);
        c.read(block, first, end, living, scratch.words);
        Elements.floats(fragmentC, scratch, scratch.floatC);
        int m = rows();
        int n = columns();
        int k = depth();
        if (sparse == null) {
            for (int i = 0; i < count; i++) {
                Product.floats(
                        scratch.floatA,
                        i * m * k,
                        scratch.floatB,
                        i * k * n,
                        scratch.floatC,
                        i * m * n,
                        m,
                        n,
                        k);
            }
        } else {
            Product.sparseFloats(
                    scratch.floatA, scratch.partners, scratch.floatB, scratch.floatC, m, n, k);
        }
        Elements.fromFloats(fragmentD, scratch.floatC, scratch);
        d.write(block, first, end, scratch.words);
    }

    private void integers(Block block, int first, int end, int living, Scratch scratch) {
        a.read(block, first, end, living, scratch.words);
        Elements.integers(fragmentA, scratch, scratch.intA);
        b.read(block, first, end, living, scratch.words);
        Elements.integers(fragmentB, scratch, scratch.intB);
        c.read(block, first, end, living, scratch.words);
        Elements.integers(fragmentC, scratch, scratch.intC);
        int m = rows();
        int n = columns();
        int k = depth();
        int[] products = scratch.products;
        if (fragmentA.element() == Element.B1) {
            Product.bits(scratch.intA, scratch.intB, products, m, n, k, mode.differ);
        } else if (sparse == null) {
            Product.integers(scratch.intA, scratch.intB, products, m, n, k);
        } else {
            Product.sparseIntegers(scratch.intA, scratch.partners, scratch.intB, products, m, n, k);
        }
        Product.add(scratch.intC, products, m * n, mode.saturate);
        Elements.fromIntegers(fragmentD, scratch.intC, scratch);
        d.write(block, first, end, scratch.words);
    }

    private void doubles(Block block, int first, int end, int living, Scratch scratch) {
        a.read(block, first, end, living, scratch.longs);
        Elements.doubles(fragmentA, scratch, scratch.doubleA);
        b.read(block, first, end, living, scratch.longs);
        Elements.doubles(fragmentB, scratch, scratch.doubleB);
        c.read(block, first, end, living, scratch.longs);
        Elements.doubles(fragmentC, scratch, scratch.doubleC);
        Product.doubles(
                scratch.doubleA,
                scratch.doubleB,
                scratch.doubleC,
                rows(),
                columns(),
                depth(),
                mode.rounding);
        Elements.fromDoubles(fragmentD, scratch.doubleC, scratch);
        d.write(block, first, end, scratch.longs);
    }
}
