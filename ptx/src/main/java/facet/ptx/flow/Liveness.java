package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Register;
import facet.ptx.flow.ControlFlow.Block;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which registers may still be read before they are written again, as sets of {@link Register#id}.
 *
 * <p>A definition under a guard, or of one lane of a vector register, keeps the register alive: the
 * old value may show through.
 */
public final class Liveness {
    private final ControlFlow flow;
    private final int words;
    private final long[] in;
    private final long[] out;

    private Liveness(ControlFlow flow) {
        this.flow = flow;
        words = (flow.body().registers().size() + 63) >> 6;
        in = new long[words * flow.blocks().size()];
        out = new long[in.length];
    }

    public static Liveness of(ControlFlow flow) {
        Liveness liveness = new Liveness(flow);
        liveness.solve();
        return liveness;
    }

    private void solve() {
        int count = flow.blocks().size();
        long[] read = new long[in.length];
        long[] kill = new long[in.length];
        for (Block block : flow.blocks()) {
            summarize(block, read, kill);
        }
        int[][] predecessors = Graph.reverse(flow.successorArrays());
        int[][] successors = flow.successorArrays();
        // A ring of blocks to look at; post order first, since facts flow backwards.
        int[] ring = new int[count];
        int[] order = flow.reversePostOrder();
        for (int i = 0; i < count; i++) {
            ring[i] = order[count - 1 - i];
        }
        boolean[] waiting = new boolean[count];
        Arrays.fill(waiting, true);
        int head = 0;
        int pending = count;
        while (pending > 0) {
            int block = ring[head];
            head = head + 1 == count ? 0 : head + 1;
            pending--;
            waiting[block] = false;
            if (!update(block, successors[block], read, kill)) {
                continue;
            }
            for (int before : predecessors[block]) {
                if (!waiting[before]) {
                    waiting[before] = true;
                    ring[(head + pending) % count] = before;
                    pending++;
                }
            }
        }
    }

    private void summarize(Block block, long[] read, long[] kill) {
        int base = block.index() * words;
        for (int i = block.end() - 1; i >= block.start(); i--) {
            step(flow.body().instructions().get(i), read, base, kill);
        }
    }

    /** Moves the set at {@code base} from behind the instruction to before it. */
    private static void step(Instruction instruction, long[] live, int base, long[] kill) {
        if (DefUse.kills(instruction)) {
            for (Register register : DefUse.definitions(instruction)) {
                int word = base + (register.id() >> 6);
                long bit = 1L << register.id();
                live[word] &= ~bit;
                kill[word] |= bit;
            }
        }
        for (Register register : DefUse.uses(instruction)) {
            live[base + (register.id() >> 6)] |= 1L << register.id();
        }
    }

    private boolean update(int block, int[] successors, long[] read, long[] kill) {
        int base = block * words;
        for (int next : successors) {
            int from = next * words;
            for (int w = 0; w < words; w++) {
                out[base + w] |= in[from + w];
            }
        }
        boolean changed = false;
        for (int w = base; w < base + words; w++) {
            long now = read[w] | (out[w] & ~kill[w]);
            changed |= now != in[w];
            in[w] = now;
        }
        return changed;
    }

    public BitSet liveIn(int block) {
        return BitSet.valueOf(Arrays.copyOfRange(in, block * words, (block + 1) * words));
    }

    public BitSet liveOut(int block) {
        return BitSet.valueOf(Arrays.copyOfRange(out, block * words, (block + 1) * words));
    }

    /** Registers alive just before the instruction; empty for an unreachable one. */
    public BitSet liveBefore(int instructionIndex) {
        int block = flow.blockOf(instructionIndex);
        if (block < 0) {
            return new BitSet();
        }
        long[] live = Arrays.copyOfRange(out, block * words, (block + 1) * words);
        long[] ignored = new long[words];
        List<Instruction> instructions = flow.body().instructions();
        for (int i = flow.blocks().get(block).end() - 1; i >= instructionIndex; i--) {
            step(instructions.get(i), live, 0, ignored);
        }
        return BitSet.valueOf(live);
    }

    /** Registers alive just behind the instruction; empty for an unreachable one. */
    public BitSet liveAfter(int instructionIndex) {
        int block = flow.blockOf(instructionIndex);
        if (block < 0) {
            return new BitSet();
        }
        return instructionIndex + 1 == flow.blocks().get(block).end()
                ? liveOut(block)
                : liveBefore(instructionIndex + 1);
    }
}
