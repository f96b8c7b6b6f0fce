package facet.jit.emit;

import facet.jit.pass.Kinds;
import facet.jit.pass.Kinds.Kind;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Synchronization;
import facet.jit.runtime.VectorsUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    private static final Set<String> METHODS =
            Arrays.stream(VectorsUnsafe.class.getDeclaredMethods())
                    .map(Method::getName)
                    .collect(Collectors.toSet());

    /** Done by one or two intrinsics. */
    private static final Set<String> COMPOSED =
            Set.of("madLoB32", "mulLoB32", "rcpF32", "rsqrtF32");

    private final Body body;
    private final LaneShapes shapes;
    private final Kinds kinds;

    Vectorization(Body body, LaneShapes shapes, Kinds kinds) {
        this.body = body;
        this.shapes = shapes;
        this.kinds = kinds;
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
                yield !varying
                        ? Way.ONCE
                        : operation(instruction).isPresent() ? Way.VECTOR : Way.LANES;
            }
        };
    }

    /** Whether lanes access 4 neighbouring bytes each. */
    private boolean isRow(Instruction instruction, Operand.Address address) {
        Space space = instruction.space();
        return instruction.type().bits() == 32
                && space != null
                && (space == Space.GLOBAL || space == Space.CONST || space.isShared())
                && space != Space.SHARED_CLUSTER // lanes may mean several blocks
                && !Synchronization.isObservation(instruction)
                && !instruction.has(Modifier.RELEASE)
                && shapes.of(address) instanceof Shape.Affine affine
                && affine.stride() == 4;
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
        boolean single = instruction.operand(0) instanceof Register register && is32(register);
        return single && isRow(instruction, address) ? Way.VECTOR : Way.LANES;
    }

    private Way store(Instruction instruction) {
        Operand.Address address = (Operand.Address) instruction.operand(0);
        Operand value = instruction.operand(1);
        boolean single =
                !(value instanceof Operand.Vector)
                        && (!(value instanceof Register register) || is32(register));
        return single
                        && isRow(instruction, address)
                        && !instruction.has(Modifier.VOLATILE)
                        && !instruction.has(Modifier.RELAXED)
                ? Way.VECTOR
                : Way.LANES;
    }

    private static boolean is32(Register register) {
        return register.type().bits() == 32 && register.lanes() == 1;
    }

    /** The vector operation that does exactly what the instruction does, by name. */
    Optional<String> operation(Instruction instruction) {
        Type type = instruction.typeAt(0);
        if (type == null || instruction.has(Modifier.FTZ) || instruction.has(Modifier.SAT)) {
            return Optional.empty();
        }
        for (Register register : DefUse.definitions(instruction)) {
            if (register.lanes() != 1
                    || register.type() != Type.PRED && register.type().bits() != 32) {
                return Optional.empty();
            }
        }
        for (Register register : DefUse.uses(instruction)) {
            boolean narrow = register.type() == Type.PRED || register.type().bits() == 32;
            if (register.lanes() != 1 || !narrow) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(name(instruction, type))
                .filter(name ->
                        METHODS.contains(name) || COMPOSED.contains(name) || RowCalls.has(name));
    }

    private static boolean isDirected(Instruction instruction) {
        return instruction.has(Modifier.RZ)
                || instruction.has(Modifier.RM)
                || instruction.has(Modifier.RP);
    }

    private @org.jspecify.annotations.Nullable String name(Instruction instruction, Type type) {
        String opcode = instruction.opcode().text();
        boolean bits = !type.isFloat() && type.bits() == 32 && !type.isPacked();
        return switch (instruction.opcode()) {
            case ADD, SUB, MUL, FMA, MAD -> {
                if (instruction.has(Modifier.CC) || isDirected(instruction)) {
                    yield null;
                }
                if (type == Type.F32) {
                    yield (instruction.opcode() == Opcode.MAD ? "fma" : opcode) + "F32";
                }
                boolean product =
                        instruction.opcode() == Opcode.MUL || instruction.opcode() == Opcode.MAD;
                yield bits && (!product || instruction.has(Modifier.LO))
                        ? opcode + (product ? "Lo" : "") + "B32"
                        : null;
            }
            case DIV ->
                    type == Type.F32
                                    && !isDirected(instruction)
                                    && !instruction.has(Modifier.APPROX)
                            ? "divF32"
                            : null;
            case RCP, SQRT, RSQRT ->
                    type == Type.F32 && !isDirected(instruction) ? opcode + "F32" : null;
            case NEG -> type == Type.F32 ? "negF32" : bits ? "negB32" : null;
            case ABS -> type == Type.F32 ? "absF32" : null;
            case AND, OR, XOR, NOT ->
                    type == Type.PRED ? opcode + "Pred" : bits ? opcode + "B32" : null;
            case MIN, MAX ->
                    type == Type.S32
                                    && instruction.operands().size() == 3
                                    && !instruction.has(Modifier.RELU)
                            ? opcode + "S32"
                            : null;
            case SHL, SHR ->
                    bits
                                    && instruction.operand(2) instanceof Operand.IntegerImmediate by
                                    && by.value() >= 0
                                    && by.value() < 32
                            ? opcode
                                    + (instruction.opcode() == Opcode.SHL
                                            ? "B32"
                                            : type.isSigned() ? "S32" : "U32")
                            : null;
            case MOV -> isValue(instruction.operand(1)) && type.bits() == 32 ? "spreadB32" : null;
            case CVT -> conversion(instruction);
            case SETP -> comparison(instruction, type);
            case SELP -> type == Type.F32 ? "selectF32" : bits ? "selectB32" : null;
            default -> null;
        };
    }

    private static boolean isValue(Operand operand) {
        return operand instanceof Register
                || operand instanceof Operand.IntegerImmediate
                || operand instanceof Operand.FloatImmediate;
    }

    private static @org.jspecify.annotations.Nullable String conversion(Instruction instruction) {
        if (instruction.type() == Type.F32
                && instruction.typeAt(1) == Type.S32
                && !isDirected(instruction)) {
            return "convertS32";
        }
        boolean truncates = instruction.has(Modifier.RZI);
        return instruction.type() == Type.S32 && instruction.typeAt(1) == Type.F32 && truncates
                ? "convertF32"
                : null;
    }

    private static @org.jspecify.annotations.Nullable String comparison(
            Instruction instruction, Type type) {
        if (instruction.operands().size() != 3 || !(instruction.operand(0) instanceof Register)) {
            return null;
        }
        String relation = instruction.suffixes().getFirst().text();
        if (type == Type.F32) {
            return relation + "F32";
        }
        if (type.isFloat() || type.bits() != 32) {
            return null;
        }
        boolean equality = relation.equals("eq") || relation.equals("ne");
        return relation + (equality ? "B32" : type.isSigned() ? "S32" : "U32");
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
                            || shapes.isWidening(instruction);
            if (parts && effects.get(i)) {
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
            if (parts && isBranch(instruction)) {
                if (depth[i] > 0) {
                    return false;
                }
                vector += weight * lanes;
            } else if (Synchronization.isMeeting(instruction)) {
                vector += weight * lanes;
            } else if (isBranch(instruction)) {
                vector += weight;
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
        return vector < 0.5 * scalar && body.instructions().size() < 600;
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

    /** Whether a varying register lives in an array rather than in a vector. */
    boolean isArray(Register register) {
        Kind kind = kinds.of(register);
        return kind.isWide() || register.type() != Type.PRED && register.type().bits() != 32;
    }
}
