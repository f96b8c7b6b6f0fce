package facet.jit.matrix;

import facet.jit.runtime.Block;
import facet.jit.runtime.Ranges;
import facet.jit.runtime.WarpTask;

/**
 * {@code ldmatrix} and {@code stmatrix}: matrices of eight rows of eight halves. Lane {@code 8 i +
 * j} has the address of row j of the i-th matrix.
 *
 * @param store to memory rather than from it
 * @param transposed whether a register holds parts of columns
 */
public record Rows(Registers registers, boolean store, boolean transposed, Pointer pointer)
        implements WarpTask {
    private static final int ROW = 16;

    @Override
    public void perform(Block block, int first, int end, int living, int line) {
        int matrices = registers.slots().size();
        long[] raw = new long[matrices * 8];
        int leader = first + Integer.numberOfTrailingZeros(living);
        for (int i = 0; i < raw.length; i++) {
            // PTX leaves open what a lane that is not there gives; here the first lane's counts.
            int t = (living >>> i & 1) != 0 ? first + i : leader;
            raw[i] =
                    Ranges.resolve(
                            block, t, pointer.space(), pointer.at(block, t), ROW, ROW, store, line);
        }
        Scratch scratch = Scratch.own();
        int[] words = scratch.words;
        int[] memory = scratch.intA;
        if (store) {
            registers.read(block, first, end, living, words);
            for (int i = 0; i < matrices; i++) {
                arrange(words, memory, i * 32);
            }
            for (int i = 0; i < raw.length; i++) {
                ArraysUnsafe.store(memory, i * ROW, raw[i], ROW);
            }
            return;
        }
        for (int i = 0; i < raw.length; i++) {
            ArraysUnsafe.load(raw[i], memory, i * ROW, ROW);
        }
        for (int i = 0; i < matrices; i++) {
            arrange(memory, words, i * 32);
        }
        registers.write(block, first, end, words);
    }

    /** A register of 32 lanes is a matrix by rows; transposing it is its own opposite. */
    private void arrange(int[] from, int[] into, int at) {
        if (transposed) {
            transpose(from, into, at);
        } else {
            System.arraycopy(from, at, into, at, 32);
        }
    }

    /** Eight rows of eight halves, two in a word. */
    static void transpose(int[] from, int[] into, int at) {
        for (int row = 0; row < 8; row++) {
            for (int pair = 0; pair < 4; pair++) {
                int shift = (row & 1) << 4;
                int low = from[at + 8 * pair + (row >>> 1)] >>> shift & 0xffff;
                int high = from[at + 8 * pair + 4 + (row >>> 1)] >>> shift & 0xffff;
                into[at + row * 4 + pair] = low | high << 16;
            }
        }
    }
}
