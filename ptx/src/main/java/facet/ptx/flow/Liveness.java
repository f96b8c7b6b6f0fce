package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Register;
import facet.ptx.Work;
import facet.ptx.flow.ControlFlow.Block;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which registers may still be read before they are written again, as sets of {@link Register#id}.
 *
 * <p>A definition under a guard, or of one lane of a vector register, keeps the register alive: the
 * old value may show through.
 */
public final class Liveness {
    private static final int WORDS_A_STEP = 16;

    /** Instructions from one mark to the next, unless marks would take too much memory. */
    private static final int NEAR = 64;

    private static final int MOST_MARKED = 1 << 20;

    private final ControlFlow flow;
    private final int words;
    private final long[] in;
    private final long[] out;
    private final Map<Integer, Marks> marks = new ConcurrentHashMap<>();

    private Liveness(ControlFlow flow) {
        this.flow = flow;
        words = (flow.body().registers().size() + 63) >> 6;
        long size = (long) words * flow.blocks().size();
        Limits.check(
                flow.body().function().position(),
                "registers times branches in " + flow.body().function().name(),
                size * 64,
                Limits.LIVENESS_WORDS * 64);
        in = new long[(int) size];
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
        Work.steps(1 + (long) words * (successors.length + 1) / WORDS_A_STEP);
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
        long[] live = new long[words];
        long[] ignored = new long[words];
        Block within = flow.blocks().get(block);
        Marks known = marks.computeIfAbsent(block, each -> mark(within));
        int from = known.load(instructionIndex, live);
        Work.steps(1 + from - instructionIndex + words / WORDS_A_STEP);
        List<Instruction> instructions = flow.body().instructions();
        for (int i = from - 1; i >= instructionIndex; i--) {
            step(instructions.get(i), live, 0, ignored);
        }
        return BitSet.valueOf(live);
    }

    /** What is alive at some places of a block, so that asking for all of them is quick. */
    private record Marks(int end, int stride, long[][] live) {
        /** Copies what is alive at the nearest place from the index on, and tells which it is. */
        int load(int index, long[] into) {
            int mark = (end - index) / stride;
            System.arraycopy(live[mark], 0, into, 0, into.length);
            return end - mark * stride;
        }
    }

    private Marks mark(Block block) {
        int length = block.end() - block.start();
        int stride = (int) Math.max(NEAR, (long) length * words / MOST_MARKED);
        long[][] live = new long[length / stride + 1][];
        long[] now = Arrays.copyOfRange(out, block.index() * words, (block.index() + 1) * words);
        long[] ignored = new long[words];
        live[0] = now.clone();
        Work.steps(length);
        for (int i = block.end() - 1; i >= block.start(); i--) {
            step(flow.body().instructions().get(i), now, 0, ignored);
            if ((block.end() - i) % stride == 0) {
                live[(block.end() - i) / stride] = now.clone();
            }
        }
        return new Marks(block.end(), stride, live);
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
