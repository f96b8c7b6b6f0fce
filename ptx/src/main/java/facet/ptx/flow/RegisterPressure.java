package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many registers of 32 bits a compiler for a GPU would need for a body, about. Registers are
 * taken to be alive from the first to the last place that names them, and to the end of the loops
 * around that place which they come into. For people and for programs that ask; nothing is compiled
 * by it, so it takes one pass and no analysis.
 */
public final class RegisterPressure {
    /** A register is carried through no more loops than this: text could nest without end. */
    private static final int MOST_LOOPS = 16;

    private static final int NO_LOOP = -1;

    private final Body body;

    /** Loops as they begin: where, where they end, and the one around. */
    private final List<int[]> loops = new ArrayList<>();

    private RegisterPressure(Body body) {
        this.body = body;
    }

    /** Registers of 32 bits; predicates are not among them. */
    public static int of(Body body) {
        return new RegisterPressure(body).most();
    }

    private int most() {
        List<Instruction> instructions = body.instructions();
        int count = instructions.size();
        int[] first = new int[body.registers().size()];
        int[] last = new int[first.length];
        Arrays.fill(first, -1);
        int[] ends = new int[count];
        Work.steps(count);
        for (int i = 0; i < count; i++) {
            Instruction instruction = instructions.get(i);
            for (Register each : DefUse.definitions(instruction)) {
                note(each, i, first, last);
            }
            for (Register each : DefUse.uses(instruction)) {
                note(each, i, first, last);
            }
            if (instruction.opcode() == Opcode.BRA
                    && !instruction.operands().isEmpty()
                    && instruction.operand(0) instanceof Operand.Symbol target) {
                Integer start = body.labels().get(target.name());
                if (start != null && start <= i) {
                    ends[start] = i;
                }
            }
        }
        int[] inside = loops(ends);
        int[] change = new int[count + 1];
        for (Register each : body.registers()) {
            if (first[each.id()] >= 0) {
                change[first[each.id()]] += words(each);
                change[end(first[each.id()], last[each.id()], inside) + 1] -= words(each);
            }
        }
        int now = 0;
        int most = 0;
        for (int each : change) {
            now += each;
            most = Math.max(most, now);
        }
        return most;
    }

    private static void note(Register register, int at, int[] first, int[] last) {
        int id = register.id();
        if (first[id] < 0) {
            first[id] = at;
        }
        last[id] = at;
    }

    /** The loop around each instruction. */
    private int[] loops(int[] ends) {
        int[] inside = new int[ends.length];
        int current = NO_LOOP;
        for (int i = 0; i < ends.length; i++) {
            while (current != NO_LOOP && loops.get(current)[1] < i) {
                current = loops.get(current)[2];
            }
            if (ends[i] > 0) {
                loops.add(new int[] {i, ends[i], current});
                current = loops.size() - 1;
            }
            inside[i] = current;
        }
        return inside;
    }

    /** What is read in a loop and made before it is needed again in the next round. */
    private int end(int first, int last, int[] inside) {
        int end = last;
        int loop = inside[last];
        for (int i = 0; i < MOST_LOOPS && loop != NO_LOOP && loops.get(loop)[0] > first; i++) {
            end = Math.max(end, loops.get(loop)[1]);
            loop = loops.get(loop)[2];
        }
        return end;
    }

    private static int words(Register register) {
        return register.type() == Type.PRED
                ? 0
                : register.lanes() * Math.max(1, register.type().bits() / 32);
    }
}
