package facet.jit.matrix;

import facet.jit.runtime.Block;
import java.util.List;

/**
 * Which elements of a sparse A are there (PTX ISA 9.7.14.6.1): of each chunk of 4 two, of tf32 one
 * of 2, of integers of 4 bits two pairs of 4.
 *
 * <pre>
 *   contributing lanes of four   lane   bits      row        columns of A
 *   1, 2  (16-bit floats, tf32)  n      0…15      group      the n-th 4 chunks
 *                                       16…31     group + 8
 *   2, 4  (8 and 4 bits)         2n     0…31      group      the n-th 8 chunks
 *                                2n+1   0…31      group + 8
 * </pre>
 *
 * @param metadata slot of the register with the indices
 * @param contributors how many lanes of four have some
 */
public record Sparsity(int metadata, int selector, int contributors) {

    /** Says for each element of A, as it is stored, which row of B it meets. */
    void partners(Block block, int first, int end, int living, Fragment a, Scratch scratch) {
        new Registers(List.of(metadata)).read(block, first, end, living, scratch.words);
        int stored = a.columns();
        Element element = a.element();
        boolean wide = element.bits() >= 16;
        int perIndex = element.bits() == 4 ? 2 : 1;
        int indices = element == Element.TF32 ? 1 : 2;
        int perChunk = indices * perIndex;
        int chunkColumns = element == Element.TF32 ? 2 : perIndex * 4;
        for (int row = 0; row < a.rows(); row++) {
            int upper = row >>> 3;
            for (int x = 0; x < stored; x++) {
                int chunk = x / perChunk;
                int inChunk = x % perChunk;
                int lane = wide ? chunk >>> 2 : (chunk >>> 3) * 2 + upper;
                int at = wide ? upper * 16 + (chunk & 3) * 4 : (chunk & 7) * 4;
                int word = scratch.words[(row & 7) * 4 + selector * contributors + lane];
                int index = word >>> at + inChunk / perIndex * 2 & 3;
                int within = element == Element.TF32 ? index >>> 1 : index * perIndex;
                scratch.partners[row * stored + x] =
                        chunk * chunkColumns + within + inChunk % perIndex;
            }
        }
    }
}
