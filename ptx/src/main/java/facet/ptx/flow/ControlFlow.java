package facet.ptx.flow;

import java.util.List;

/**
 * The control-flow graph of a body. Block 0 is the entry; blocks are numbered in the order of the
 * text.
 */
public record ControlFlow(Body body, List<Block> blocks) {

    /** Instructions {@code [start, end)} of the body and the numbers of neighbouring blocks. */
    public record Block(
            int index, int start, int end, List<Integer> successors, List<Integer> predecessors) {}
}
