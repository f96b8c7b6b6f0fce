package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.ControlFlow;
import java.util.Arrays;

/**
 * Whether all threads of a kernel meet equally often before they end, whichever way they go: no
 * meeting is in a loop, none is guarded, and all paths to a place have the same number of them.
 * Then no thread ends while another one is still to meet it.
 *
 * <p>It errs on one side: kernels whose threads all take the same branch are not seen through.
 */
final class Evenness {
    private static final int UNSEEN = -1;

    private final Body body;
    private final int kind;
    private final Scan scan;
    private final Reach reach;
    private int atEnds = UNSEEN;
    private boolean even = true;

    private Evenness(Body body, int kind, Scan scan, Reach reach) {
        this.body = body;
        this.kind = kind;
        this.scan = scan;
        this.reach = reach;
    }

    /**
     * @param kind of meetings: {@link Hidden#BARRIERS} or {@link Hidden#WARPS}
     */
    static boolean of(Body body, int kind, Scan scan, Reach reach) {
        Evenness evenness = new Evenness(body, kind, scan, reach);
        evenness.walk(ControlFlow.of(body));
        return evenness.even;
    }

    private void walk(ControlFlow flow) {
        int[] before = new int[flow.blocks().size()];
        Arrays.fill(before, UNSEEN);
        before[0] = 0;
        for (int number : flow.reversePostOrder()) {
            ControlFlow.Block block = flow.blocks().get(number);
            int met = before[number];
            for (int i = block.start(); i < block.end() && even; i++) {
                met = pass(body.instructions().get(i), met);
            }
            if (!even) {
                return;
            }
            if (block.successors().isEmpty() && !trapped(block)) {
                end(met);
            }
            for (int next : block.successors()) {
                Work.step();
                if (before[next] == UNSEEN) {
                    before[next] = met;
                } else if (before[next] != met) {
                    even = false;
                }
            }
        }
    }

    private boolean trapped(ControlFlow.Block block) {
        return block.end() > block.start()
                && body.instructions().get(block.end() - 1).opcode() == Opcode.TRAP;
    }

    private int pass(Instruction instruction, int met) {
        Work.step();
        if (instruction.opcode() == Opcode.CALL) {
            int called = called(instruction);
            even &= (called & kind) == 0;
            if (Hidden.ENDED.in(called)) {
                end(met);
            }
            return met;
        }
        if (instruction.opcode() == Opcode.RET || instruction.opcode() == Opcode.EXIT) {
            end(met);
            return met;
        }
        if ((Meetings.kind(instruction) & kind) == 0) {
            return met;
        }
        even &= instruction.guard() == null;
        return met + 1;
    }

    private int called(Instruction call) {
        int at = Calls.callee(call);
        if (at >= 0 && call.operand(at) instanceof Operand.Symbol symbol) {
            String name = scan.target(symbol.name());
            return scan.bodies.containsKey(name) ? reach.facts(name) : 0;
        }
        return reach.pointerFacts();
    }

    private void end(int met) {
        if (atEnds == UNSEEN) {
            atEnds = met;
        } else if (atEnds != met) {
            even = false;
        }
    }
}
