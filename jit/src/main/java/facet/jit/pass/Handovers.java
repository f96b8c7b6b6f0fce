package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Accesses to shared memory, not volatile ones, by which lanes of a warp hand one of them their
 * values and rely on keeping step. Between them is no meeting in the text, but there may be jumps;
 * {@code a} differs from thread to thread:
 *
 * <pre>
 *   st [a], x;  …  ld y, [b+4];     b is one place for all lanes, in the same array
 * </pre>
 *
 * The first lane that reads the sum of {@code if (t < 8) s[t] += s[t + 8]} is right as it is.
 */
final class Handovers {
    /** In a run without meetings at most so many accesses are compared with those behind them. */
    private static final int MOST = 64;

    private final Body body;
    private final List<Instruction> instructions;
    private final BitSet found = new BitSet();

    /** Of the current run. */
    private final List<Integer> accesses = new ArrayList<>();

    private @Nullable LaneShapes shapes;
    private @Nullable Map<Register, String> arrays;

    private Handovers(Body body) {
        this.body = body;
        instructions = body.instructions();
    }

    /** The loads and stores that take part. */
    static BitSet find(Body body) {
        Handovers pass = new Handovers(body);
        for (int i = 0; i < pass.instructions.size(); i++) {
            pass.look(i);
        }
        return pass.found;
    }

    private void look(int i) {
        Instruction instruction = instructions.get(i);
        if (Synchronization.isMeeting(instruction)) {
            accesses.clear();
            return;
        }
        Operand.Address address = address(instruction);
        if (address == null) {
            return;
        }
        Work.steps(accesses.size());
        for (int before : accesses) {
            if (isHandedOver(before, i) && !isFirst(i)) {
                // The first element too, if it is read: all are read before one is waited for.
                accesses.stream().filter(each -> isHandedOver(before, each)).forEach(found::set);
                found.set(i);
            }
        }
        if (accesses.size() < MOST) {
            accesses.add(i);
        }
    }

    private boolean isStore(int i) {
        return instructions.get(i).opcode() == Opcode.ST;
    }

    /** Every lane has written its own place, and one that is the same for all is read. */
    private boolean isHandedOver(int before, int i) {
        if (before >= i || !isStore(before) || isStore(i)) {
            return false;
        }
        String array = array(place(before));
        return array != null
                && array.equals(array(place(i)))
                && shapes().of(place(before)) instanceof Shape.Affine
                && shapes().of(place(i)).isUniform();
    }

    /** The thread that reads the first element has mostly written it, at the end of a sum. */
    private boolean isFirst(int i) {
        Operand.Address address = place(i);
        return address.offset() == 0
                && !(address.base() instanceof Register register && changes(register));
    }

    private boolean changes(Register register) {
        long definitions =
                instructions.stream()
                        .filter(each -> DefUse.definitions(each).contains(register))
                        .count();
        return definitions > 1;
    }

    private LaneShapes shapes() {
        LaneShapes known = shapes;
        if (known == null) {
            known = LaneShapes.of(body);
            shapes = known;
        }
        return known;
    }

    /** The variable that an address lies in, as far as the text says so. */
    private @Nullable String array(Operand.Address address) {
        return switch (address.base()) {
            case Operand.Symbol symbol -> symbol.name();
            case Register register -> arrays().get(register);
            case null, default -> null;
        };
    }

    /** Registers that were computed from the address of one variable; made when asked for. */
    private Map<Register, String> arrays() {
        Map<Register, String> known = arrays;
        if (known == null) {
            known = new HashMap<>();
            for (Instruction instruction : instructions) {
                String array = source(instruction, known);
                for (Register register : DefUse.definitions(instruction)) {
                    if (array != null) {
                        known.put(register, array);
                    }
                }
            }
            arrays = known;
        }
        return known;
    }

    private static @Nullable String source(Instruction instruction, Map<Register, String> known) {
        boolean passesOn =
                switch (instruction.opcode()) {
                    case MOV, ADD, SUB, MAD, CVTA, CVT -> true;
                    default -> false;
                };
        if (!passesOn) {
            return null;
        }
        List<Operand> operands = instruction.operands();
        for (Operand each : operands.subList(1, operands.size())) {
            if (each instanceof Operand.Symbol symbol) {
                return symbol.name();
            }
            if (each instanceof Register register && known.containsKey(register)) {
                return known.get(register);
            }
        }
        return null;
    }

    private Operand.Address place(int i) {
        return (Operand.Address) instructions.get(i).operand(isStore(i) ? 0 : 1);
    }

    /** Where a plain load or store goes to in shared memory; null for all else. */
    private static Operand.@Nullable Address address(Instruction instruction) {
        boolean access =
                (instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ST)
                        && !instruction.has(Modifier.VOLATILE)
                        && instruction.space() != null
                        && instruction.space().isShared();
        return access
                        && instruction.operand(instruction.opcode() == Opcode.LD ? 1 : 0)
                                instanceof Operand.Address place
                ? place
                : null;
    }
}
