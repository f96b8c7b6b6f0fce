package facet.jit.emit;

import facet.jit.emit.Vectorization.Way;
import facet.jit.pass.Effects;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Synchronization;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * Values that are loaded only to be stored as they are. A row of them goes from one place to the
 * other as the bytes that it is, whatever its elements are.
 */
final class Copies {
    static final Copies NONE = new Copies();

    private final IdentityHashMap<Instruction, Instruction> storeOf = new IdentityHashMap<>();
    private final IdentityHashMap<Instruction, Instruction> loadOf = new IdentityHashMap<>();

    private final BitSet registers = new BitSet();

    private Copies() {}

    /**
     * Of all straight runs of a body.
     *
     * @param ways how each instruction is done
     */
    static Copies of(Body body, LaneShapes shapes, Function<Instruction, Way> ways) {
        Copies found = new Copies();
        BitSet labelled = new BitSet();
        body.labels().values().forEach(labelled::set);
        Work.steps(body.instructions().size());
        int[] reads = new int[body.registers().size()];
        int[] writes = new int[body.registers().size()];
        for (Instruction instruction : body.instructions()) {
            DefUse.uses(instruction).forEach(each -> reads[each.id()]++);
            DefUse.definitions(instruction).forEach(each -> writes[each.id()]++);
        }
        List<Instruction> instructions = body.instructions();
        Instruction load = null;
        for (int i = 0; i < instructions.size(); i++) {
            Instruction instruction = instructions.get(i);
            if (labelled.get(i)) {
                load = null;
            }
            boolean row = isPlainRow(instruction, ways);
            boolean loads = row && instruction.opcode() == Opcode.LD;
            if (loads && isOnce(instruction, reads, writes)) {
                load = instruction;
            } else if (load != null && row && isCopy(load, instruction)) {
                found.storeOf.put(load, instruction);
                found.loadOf.put(instruction, load);
                DefUse.definitions(load).forEach(each -> found.registers.set(each.id()));
                load = null;
            } else if (isBoundary(instruction, shapes)) {
                load = null;
            }
        }
        return found;
    }

    private static boolean isPlainRow(Instruction instruction, Function<Instruction, Way> ways) {
        return (instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ST)
                && instruction.guard() == null
                && (instruction.space() == Space.GLOBAL || instruction.space() == Space.CONST)
                && ways.apply(instruction) == Way.VECTOR;
    }

    /** Whether a load cannot be done after it, or lanes may part there and take registers along. */
    private static boolean isBoundary(Instruction instruction, LaneShapes shapes) {
        return Effects.changesMemory(instruction)
                || Synchronization.isMeeting(instruction)
                || shapes.isEndTest(instruction)
                || shapes.isWidening(instruction)
                || shapes.isEndResult(instruction)
                || switch (instruction.opcode()) {
                    case BRA, BRX, RET, EXIT, TRAP, BRKPT, MEMBAR, FENCE -> true;
                    default -> false;
                };
    }

    /** Whether registers have nothing but what is loaded here, and one instruction reads them. */
    private static boolean isOnce(Instruction load, int[] reads, int[] writes) {
        return Addresses.elements(load.operand(0)).stream()
                .allMatch(each ->
                        each instanceof Register register
                                && reads[register.id()] == 1
                                && writes[register.id()] == 1);
    }

    private static boolean isCopy(Instruction load, Instruction store) {
        if (store.opcode() != Opcode.ST || store.type().bits() != load.type().bits()) {
            return false;
        }
        List<Operand> values = Addresses.elements(store.operand(1));
        return values.equals(Addresses.elements(load.operand(0)));
    }

    /** Whether the register has nothing but what is copied. */
    boolean isCopied(Register register) {
        return registers.get(register.id());
    }

    /** Whether what the instruction loads is only copied. */
    boolean isLoad(Instruction instruction) {
        return storeOf.containsKey(instruction);
    }

    /** The load whose values the instruction stores; null when they are not only copied. */
    @org.jspecify.annotations.Nullable
    Instruction loadOf(Instruction instruction) {
        return loadOf.get(instruction);
    }
}
