package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Opcode;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Type;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ControlFlowTest {
    @Test
    void emptyBodyHasOneBlock() {
        ControlFlow flow = ControlFlow.of(new Bodies.Builder().build());
        assertEquals(1, flow.blocks().size());
    }

    @Test
    void guardedReturnFallsThrough() {
        Bodies.Builder builder = new Bodies.Builder();
        Register guard = builder.register(Type.PRED);
        builder.add(guard, Opcode.RET).add(null, Opcode.RET);
        ControlFlow flow = ControlFlow.of(builder.build());
        assertEquals(List.of(1), flow.blocks().get(0).successors());
    }

    @Test
    void guardedTrapFallsThroughAndPlainTrapEnds() {
        Bodies.Builder builder = new Bodies.Builder();
        Register guard = builder.register(Type.PRED);
        builder.add(guard, Opcode.TRAP).add(null, Opcode.TRAP).add(null, Opcode.RET);
        ControlFlow flow = ControlFlow.of(builder.build());
        assertEquals(2, flow.blocks().size(), "what stands behind the trap is unreachable");
        assertEquals(-1, flow.blockOf(2));
    }

    @Test
    void labelBehindTheLastInstructionIsABlock() {
        Bodies.Builder builder = new Bodies.Builder();
        Register guard = builder.register(Type.PRED);
        builder.branch(guard, "end").add(null, Opcode.EXIT).label("end");
        ControlFlow flow = ControlFlow.of(builder.build());
        assertEquals(List.of(1, 2), flow.blocks().get(0).successors());
        assertEquals(flow.blocks().get(2).start(), flow.blocks().get(2).end());
    }

    @Test
    void unknownLabelIsRefused() {
        Bodies.Builder builder = new Bodies.Builder().branch(null, "nowhere");
        PtxException thrown =
                assertThrows(PtxException.class, () -> ControlFlow.of(builder.build()));
        assertTrue(thrown.getMessage().contains("nowhere"));
    }

    @Test
    void nestedLoops() {
        Bodies.Builder builder = new Bodies.Builder();
        Register guard = builder.register(Type.PRED);
        builder.add(null, Opcode.BAR);
        builder.label("outer").add(null, Opcode.BAR);
        builder.label("inner").branch(guard, "inner");
        builder.branch(guard, "outer");
        builder.add(null, Opcode.RET);
        ControlFlow flow = ControlFlow.of(builder.build());
        Loops loops = flow.loops();
        assertEquals(2, loops.all().size());
        assertEquals(List.of(1, 2, 3), loops.all().get(0).blocks());
        assertEquals(List.of(2), loops.all().get(1).blocks());
        assertEquals(2, loops.depth(2));
        assertEquals(1, loops.depth(3));
        assertNull(loops.innermost(4));
        assertTrue(loops.isBackEdge(2, 2));
        assertTrue(loops.isBackEdge(3, 1));
        assertTrue(flow.isReducible());
    }

    @Test
    void jumpIntoALoopIsIrreducible() {
        Bodies.Builder builder = new Bodies.Builder();
        Register guard = builder.register(Type.PRED);
        builder.branch(guard, "b");
        builder.label("a").add(null, Opcode.BAR);
        builder.label("b").branch(guard, "a");
        builder.add(null, Opcode.RET);
        assertFalse(ControlFlow.of(builder.build()).isReducible());
    }

    @Test
    void dominatorsAndLoopsOfRandomGraphs() {
        long seed = Long.getLong("facet.seed", 20240611L);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            ControlFlow flow = ControlFlow.of(Bodies.random(random));
            String where = "seed " + seed + " round " + round;
            int[][] successors = flow.successorArrays();
            int[] order = flow.reversePostOrder();
            assertEquals(successors.length, order.length, where + ": unreachable block kept");
            checkDominators(flow.dominators(), successors, where);
            assertEquals(reducesToOne(successors), flow.isReducible(), where);
            for (Loops.Loop loop : flow.loops().all()) {
                for (int block : loop.blocks()) {
                    assertTrue(flow.dominators().dominates(loop.header(), block), where);
                }
            }
        }
    }

    /** a dominates b when b cannot be reached with a taken away. */
    private static void checkDominators(Dominators dominators, int[][] successors, String where) {
        int count = successors.length;
        for (int a = 0; a < count; a++) {
            BitSet without = reach(successors, 0, a);
            for (int b = 0; b < count; b++) {
                assertEquals(a == b || !without.get(b), dominators.dominates(a, b), where);
            }
        }
        for (int b = 0; b < count; b++) {
            int parent = dominators.immediate(b);
            assertEquals(b == 0, parent == Dominators.NONE, where);
            for (int a = 0; a < count; a++) {
                if (parent != Dominators.NONE && a != b && dominators.dominates(a, b)) {
                    assertTrue(dominators.dominates(a, parent), where);
                }
            }
        }
    }

    private static BitSet reach(int[][] successors, int from, int without) {
        BitSet seen = new BitSet();
        if (from != without) {
            walk(successors, from, without, seen);
        }
        return seen;
    }

    private static void walk(int[][] successors, int from, int without, BitSet seen) {
        seen.set(from);
        for (int next : successors[from]) {
            if (next != without && !seen.get(next)) {
                walk(successors, next, without, seen);
            }
        }
    }

    /** Hecht and Ullman: drop self edges, merge nodes with one predecessor, until one is left. */
    private static boolean reducesToOne(int[][] successors) {
        int count = successors.length;
        boolean[][] edge = new boolean[count][count];
        for (int a = 0; a < count; a++) {
            for (int b : successors[a]) {
                edge[a][b] = true;
            }
        }
        boolean[] gone = new boolean[count];
        int left = count;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int b = 1; b < count; b++) {
                edge[b][b] = false;
                int only = -1;
                int predecessors = 0;
                for (int a = 0; a < count; a++) {
                    if (!gone[a] && edge[a][b]) {
                        predecessors++;
                        only = a;
                    }
                }
                if (!gone[b] && predecessors == 1) {
                    for (int c = 0; c < count; c++) {
                        edge[only][c] |= edge[b][c];
                    }
                    edge[only][b] = false;
                    gone[b] = true;
                    left--;
                    changed = true;
                }
            }
        }
        return left == 1;
    }
}
