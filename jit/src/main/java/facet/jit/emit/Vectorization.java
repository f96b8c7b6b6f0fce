package facet.jit.emit;

import facet.jit.pass.LaneShapes;
import facet.jit.pass.Sections;
import facet.jit.pass.Synchronization;
import facet.jit.runtime.NarrowVectors;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How each instruction is done for a row of lanes, and whether a kernel gains by it. */
final class Vectorization {
    /** The ways, from cheap to dear. */
    enum Way {
        /** Once for all lanes: results are uniform or affine. */
        ONCE,
        /** As a vector operation. */
        VECTOR,
        /** Lane by lane, through arrays. */
        LANES
    }

    private final Body body;
    private final Sections sections;
    private final LaneShapes shapes;
    private final BitSet addresses;
    private @Nullable Copies copies;

    Vectorization(Body body, Sections sections) {
        this.body = body;
        this.sections = sections;
        this.shapes = sections.shapes();
        this.addresses = addresses(body);
    }

    /**
     * 64-bit registers from which nothing but addresses is made: lanes that access memory one by
     * one compute these one by one, which is less code.
     */
    private static BitSet addresses(Body body) {
        BitSet only = new BitSet();
        body.registers().stream()
                .filter(each -> each.type() != Type.PRED && each.type().bits() == 64)
                .forEach(each -> only.set(each.id()));
        boolean changed = true;
        while (changed) {
            int before = only.cardinality();
            Work.steps(body.instructions().size());
            for (Instruction instruction : body.instructions()) {
                List<Register> made = DefUse.definitions(instruction);
                boolean kept =
                        !made.isEmpty() && made.stream().allMatch(each -> only.get(each.id()));
                for (Register register : DefUse.uses(instruction)) {
                    if (!isBase(instruction, register) && !kept) {
                        only.clear(register.id());
                    }
                }
            }
            changed = only.cardinality() != before;
        }
        return only;
    }

    private static boolean isBase(Instruction instruction, Register register) {
        boolean base = false;
        for (Operand operand : instruction.operands()) {
            if (operand instanceof Operand.Address address) {
                base |= register.equals(address.base());
            } else if (Addresses.elements(operand).contains(register)) {
                return false;
            }
        }
        return base;
    }

    Copies copies() {
        Copies known = copies;
        if (known == null) {
            known = Copies.of(body, shapes, this::way);
            copies = known;
        }
        return known;
    }

    Way way(Instruction instruction) {
        boolean guarded =
                instruction.guard() != null
                        && !shapes.of(instruction.guard().predicate()).isUniform();
        if (guarded) {
            return Way.LANES;
        }
        return switch (instruction.opcode()) {
            case ST -> store(instruction);
            case LD, LDU -> load(instruction);
            case ATOM, RED, CALL, CP, SUST, SURED -> Way.LANES;
            case MEMBAR, FENCE, NANOSLEEP, PREFETCH, PREFETCHU, DISCARD, APPLYPRIORITY -> Way.ONCE;
            default -> {
                boolean varying =
                        DefUse.definitions(instruction).stream()
                                .anyMatch(each -> shapes.of(each).isVarying());
                boolean address =
                        DefUse.definitions(instruction).stream()
                                .allMatch(each -> addresses.get(each.id()));
                yield !varying
                        ? Way.ONCE
                        : RowNames.of(instruction).isPresent() && !address ? Way.VECTOR : Way.LANES;
            }
        };
    }

    /** Whether lanes decide by themselves whether they store, side by side if all did. */
    boolean isGuardedRow(Instruction instruction) {
        Instruction.Guard guard = instruction.guard();
        return guard != null
                && instruction.opcode() == Opcode.ST
                && !shapes.of(guard.predicate()).isUniform()
                && store(instruction) == Way.VECTOR
                && MaskedAccesses.handles(instruction);
    }

    /** Whether lanes access memory apart from each other, but are checked together. */
    boolean isGather(Instruction instruction) {
        boolean stores = instruction.opcode() == Opcode.ST;
        if (instruction.guard() != null
                || !stores && instruction.opcode() != Opcode.LD
                || way(instruction) != Way.LANES
                || instruction.type().bits() > 32
                || instruction.type() == Type.PRED
                || Stream.of(Modifier.VOLATILE, Modifier.RELAXED, Modifier.RELEASE, Modifier.ASYNC)
                        .anyMatch(instruction::has)
                || Synchronization.isObservation(instruction)) {
            return false;
        }
        Space space = instruction.space();
        boolean shared = space != null && space.isShared() && space != Space.SHARED_CLUSTER;
        boolean global = space == Space.GLOBAL || space == Space.CONST;
        Operand value = instruction.operand(stores ? 1 : 0);
        Operand.Address address = (Operand.Address) instruction.operand(stores ? 0 : 1);
        boolean held =
                value instanceof Register register
                        ? holds(register, instruction.type())
                        : stores && value instanceof Operand.IntegerImmediate;
        return held
                && address.base() instanceof Register base
                && LaneShapes.isGentle(shapes.of(base))
                && (shared || global);
    }

    /** Whether lanes access memory side by side, so many values each. */
    private boolean isRow(Instruction instruction, Operand.Address address, int count) {
        Space space = instruction.space();
        Type type = instruction.type();
        return (type.bits() >= 32 || NarrowVectors.fit())
                && type.bits() <= 64
                && space != null
                && (space == Space.GLOBAL || space == Space.CONST || space.isShared())
                && space != Space.SHARED_CLUSTER // lanes may mean several blocks
                && !Synchronization.isObservation(instruction)
                && !instruction.has(Modifier.RELEASE)
                && shapes.of(address) instanceof Shape.Affine affine
                && affine.stride() == type.bytes(count);
    }

    /** Whether a register holds what is loaded as it is, or extended to 32 bits. */
    private static boolean holds(Register register, Type type) {
        int bits = register.type().bits();
        return register.lanes() == 1
                && register.type() != Type.PRED
                && (bits == type.bits() || type.bits() < 32 && !type.isFloat() && bits <= 32);
    }

    /** One value, or as many as a row takes together. */
    private static boolean isTuple(Instruction instruction, Operand value) {
        return value instanceof Operand.Vector vector
                ? RowTuples.handles(instruction.type(), vector.elements().size())
                : Addresses.elements(value).size() == 1;
    }

    private Way load(Instruction instruction) {
        Operand.Address address = (Operand.Address) instruction.operand(1);
        boolean varying =
                DefUse.definitions(instruction).stream()
                        .anyMatch(each -> shapes.of(each).isVarying());
        boolean once =
                shapes.of(address).isUniform()
                        && !shapes.isPrivate(instruction, address)
                        && !Synchronization.isObservation(instruction);
        if (once && !varying) {
            return Way.ONCE;
        }
        List<Operand> into = Addresses.elements(instruction.operand(0));
        boolean held =
                into.stream()
                        .allMatch(each ->
                                each instanceof Register register
                                                && holds(register, instruction.type())
                                        || each instanceof Operand.Sink && into.size() > 1);
        return held
                        && isTuple(instruction, instruction.operand(0))
                        && isRow(instruction, address, into.size())
                ? Way.VECTOR
                : Way.LANES;
    }

    private Way store(Instruction instruction) {
        Operand.Address address = (Operand.Address) instruction.operand(0);
        List<Operand> from = Addresses.elements(instruction.operand(1));
        boolean held =
                from.stream()
                        .allMatch(each ->
                                !(each instanceof Register register)
                                        || holds(register, instruction.type()));
        return held
                        && isTuple(instruction, instruction.operand(1))
                        && isRow(instruction, address, from.size())
                        && !instruction.has(Modifier.VOLATILE)
                        && !instruction.has(Modifier.RELAXED)
                ? Way.VECTOR
                : Way.LANES;
    }

    /** Instructions at which lanes may part although memory was changed: entries of scalar code. */
    BitSet partings(BitSet effects) {
        BitSet partings = new BitSet();
        for (int i = 0; i < body.instructions().size(); i++) {
            Instruction instruction = body.instructions().get(i);
            boolean guarded =
                    instruction.guard() != null
                            && !shapes.of(instruction.guard().predicate()).isUniform();
            boolean parts =
                    guarded && (isBranch(instruction) || Synchronization.isMeeting(instruction))
                            || shapes.isEndTest(instruction)
                            || shapes.isWidening(instruction)
                            || shapes.isEndResult(instruction);
            if (parts && effects.get(i) && sections.at(i).isEmpty()) {
                partings.set(i);
            }
        }
        return partings;
    }

    /** Whether rows of lanes promise to be clearly faster than one thread after the other. */
    boolean isWorthwhile(int lanes) {
        double scalar = 0;
        double vector = 0;
        int[] depth = depths();
        for (int i = 0; i < body.instructions().size(); i++) {
            Instruction instruction = body.instructions().get(i);
            if (isForeign(instruction)) {
                return false;
            }
            double weight = Math.pow(8, Math.min(depth[i], 4));
            scalar += weight * lanes;
            boolean parts =
                    instruction.guard() != null
                            && !shapes.of(instruction.guard().predicate()).isUniform();
            if (parts && isBranch(instruction) && sections.at(i).isPresent()) {
                vector += 4 * weight;
            } else if (parts && isBranch(instruction)) {
                if (depth[i] > 0) {
                    return false;
                }
                vector += weight * lanes;
            } else if (Synchronization.isMeeting(instruction)) {
                vector += weight * lanes;
            } else if (isBranch(instruction)) {
                vector += weight;
            } else if (isGuardedRow(instruction)) {
                vector += 4 * weight;
            } else {
                vector +=
                        weight
                                * switch (way(instruction)) {
                                    case ONCE -> 1;
                                    case VECTOR -> 1.5;
                                    case LANES -> 1.6 * lanes;
                                };
            }
        }
        return vector < 0.8 * scalar && body.instructions().size() < 600;
    }

    private static boolean isBranch(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BRA, BRX, RET, EXIT -> true;
            default -> false;
        };
    }

    /** What vector code does not know at all. */
    private boolean isForeign(Instruction instruction) {
        if (Carry.handles(instruction)
                || instruction.opcode() == Opcode.CALL
                || instruction.opcode() == Opcode.BRX) {
            return true;
        }
        boolean tells = instruction.opcode() == Opcode.ST || instruction.opcode() == Opcode.RED;
        if (Synchronization.isObservation(instruction)
                || tells && instruction.has(Modifier.ASYNC)) {
            return true;
        }
        switch (instruction.opcode()) {
            case MBARRIER, ALLOCA, STACKSAVE, STACKRESTORE -> {
                return true;
            }
            default -> {}
        }
        return Stream.concat(
                        DefUse.definitions(instruction).stream(), DefUse.uses(instruction).stream())
                .anyMatch(each -> each.lanes() != 1 || each.type() == Type.B128);
    }

    private int[] depths() {
        int[] depths = new int[body.instructions().size()];
        int[] change = new int[depths.length + 1];
        for (int i = 0; i < depths.length; i++) {
            for (int target : Synchronization.targets(body, body.instructions().get(i))) {
                if (target <= i) {
                    change[target]++;
                    change[i + 1]--;
                }
            }
        }
        int depth = 0;
        for (int i = 0; i < depths.length; i++) {
            depth += change[i];
            depths[i] = depth;
        }
        return depths;
    }
}
