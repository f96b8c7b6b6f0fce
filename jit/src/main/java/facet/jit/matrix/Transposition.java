package facet.jit.matrix;

import facet.jit.runtime.Block;
import facet.jit.runtime.WarpTask;

/** {@code movmatrix}: eight rows of eight halves in one register of each lane become columns. */
public record Transposition(Registers into, Registers from) implements WarpTask {
    @Override
    public void perform(Block block, int first, int end, int living, int line) {
        Scratch scratch = Scratch.own();
        from.read(block, first, end, living, scratch.words);
        Rows.transpose(scratch.words, scratch.intA, 0);
        into.write(block, first, end, scratch.intA);
    }
}
