package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_Class;

import facet.jit.runtime.Lanes;
import facet.jit.runtime.RowIntrinsicsUnsafe;
import facet.jit.runtime.RowMaskIntrinsics;
import facet.jit.runtime.RowMaskedUnsafe;
import facet.jit.runtime.RowOrders;
import facet.jit.runtime.WideVectors;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.internal.vm.vector.VectorSupport;

/**
 * Emits calls of the JVM's vector intrinsics, which want everything but the values as constants.
 */
final class RowCalls {
    /** Classes that hold what the intrinsics want. */
    private static final List<Class<?>> CONSTANTS =
            List.of(
                    RowIntrinsicsUnsafe.class,
                    RowMaskIntrinsics.class,
                    RowMaskedUnsafe.class,
                    RowOrders.class);

    /** Names that {@link Vectorization} gives, and the intrinsic's number. */
    private static final Map<String, Integer> UNARY =
            Map.of(
                    "sqrtF32",
                    VectorSupport.VECTOR_OP_SQRT,
                    "sqrtF64",
                    VectorSupport.VECTOR_OP_SQRT);

    private static final Map<String, Integer> BINARY = new HashMap<>();

    private static final Map<String, Integer> TERNARY =
            Map.of("fmaF32", VectorSupport.VECTOR_OP_FMA, "fmaF64", VectorSupport.VECTOR_OP_FMA);

    static {
        for (String kind : List.of("F32", "F64", "B32", "B64")) {
            BINARY.put("add" + kind, VectorSupport.VECTOR_OP_ADD);
            BINARY.put("sub" + kind, VectorSupport.VECTOR_OP_SUB);
            BINARY.put("mul" + kind, VectorSupport.VECTOR_OP_MUL);
            if (kind.startsWith("F")) {
                BINARY.put("div" + kind, VectorSupport.VECTOR_OP_DIV);
            } else {
                BINARY.put("and" + kind, VectorSupport.VECTOR_OP_AND);
                BINARY.put("or" + kind, VectorSupport.VECTOR_OP_OR);
                BINARY.put("xor" + kind, VectorSupport.VECTOR_OP_XOR);
            }
        }
    }

    private static final ClassDesc MASK =
            ClassDesc.of(VectorSupport.class.getName() + "$VectorMask");

    private final CodeBuilder code;
    private final Unit unit;

    RowCalls(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    static boolean has(String name) {
        return UNARY.containsKey(name) || BINARY.containsKey(name) || TERNARY.containsKey(name);
    }

    /** What a row of a kind is to the JVM. A row of 64-bit values is two vectors. */
    @SuppressWarnings("ImmutableEnumChecker") // descriptions of classes never change
    private enum Form {
        F32("FLOAT", ConstantDescs.CD_Float, Lanes.COUNT, FloatVector.class),
        B32("INT", ConstantDescs.CD_Integer, Lanes.COUNT, IntVector.class),
        F64("DOUBLE", ConstantDescs.CD_Double, WideVectors.HALF, DoubleVector.class),
        B64("LONG", ConstantDescs.CD_Long, WideVectors.HALF, LongVector.class),
        B08("BYTE", ConstantDescs.CD_Byte, Lanes.COUNT, ByteVector.class),
        B16("SHORT", ConstantDescs.CD_Short, Lanes.COUNT, ShortVector.class);

        private final String stem;
        private final ClassDesc box;
        private final int lanes;
        private final ClassDesc type;

        Form(String stem, ClassDesc box, int lanes, Class<?> type) {
            this.stem = stem;
            this.box = box;
            this.lanes = lanes;
            this.type = type.describeConstable().orElseThrow();
        }

        /** By the last letters of an operation's name. */
        static Form of(String name) {
            return valueOf(name.substring(name.length() - 3));
        }
    }

    /** The class of vectors of the kind: F32, B32, F64 or B64. */
    static ClassDesc type(String kind) {
        return Form.of(kind).type;
    }

    private void constant(String name) {
        Field found =
                CONSTANTS.stream()
                        .flatMap(each -> Arrays.stream(each.getFields()))
                        .filter(field -> field.getName().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no constant " + name));
        code.getstatic(
                found.getDeclaringClass().describeConstable().orElseThrow(),
                name,
                found.getType().describeConstable().orElseThrow());
    }

    /** {@code ADD_F32} for {@code addF32}. */
    private void fallback(String name) {
        String stem = name.substring(0, name.length() - 3).toUpperCase(Locale.ROOT);
        constant(stem + "_" + name.substring(name.length() - 3));
    }

    private void vectorClass(String name) {
        constant(Form.of(name).stem + "_CLASS");
    }

    private void elementClass(String name) {
        code.getstatic(Form.of(name).box, "TYPE", CD_Class);
    }

    private void species(String name) {
        constant(Form.of(name).stem + "_SPECIES");
    }

    private void lanes(String name) {
        code.loadConstant(Form.of(name).lanes);
    }

    private void call(String method, String name, boolean result) {
        Method found =
                Arrays.stream(VectorSupport.class.getMethods())
                        .filter(each -> each.getName().equals(method))
                        .findFirst()
                        .orElseThrow();
        unit.call(found);
        if (result) {
            code.checkcast(Form.of(name).type);
        }
    }

    /** An arithmetic operation whose values the actions push. */
    void operate(String name, Runnable... values) {
        Map<String, Integer> table =
                values.length == 1 ? UNARY : values.length == 2 ? BINARY : TERNARY;
        code.loadConstant(table.get(name));
        vectorClass(name);
        code.aconst_null();
        elementClass(name);
        lanes(name);
        for (Runnable value : values) {
            value.run();
        }
        code.aconst_null();
        fallback(name);
        call(
                values.length == 1 ? "unaryOp" : values.length == 2 ? "binaryOp" : "ternaryOp",
                name,
                true);
    }

    private static final Map<String, Integer> SHIFTS =
            Map.of(
                    "SHL", VectorSupport.VECTOR_OP_LSHIFT,
                    "SHRS", VectorSupport.VECTOR_OP_RSHIFT,
                    "SHRU", VectorSupport.VECTOR_OP_URSHIFT);

    /**
     * A shift by a constant.
     *
     * @param name {@code shlB32}, {@code shrS32}, {@code shrU32} or that of 64 bits
     */
    void shift(String name, Runnable value, int by) {
        boolean left = name.startsWith("shl");
        String kind = "B" + name.substring(name.length() - 2);
        String stem = left ? "SHL" : "SHR" + name.charAt(3);
        code.loadConstant(SHIFTS.get(stem));
        vectorClass(kind);
        code.aconst_null();
        elementClass(kind);
        lanes(kind);
        value.run();
        code.loadConstant(by).aconst_null();
        constant(stem + "_" + kind);
        call("broadcastInt", kind, true);
    }

    private void maskClass(String kind) {
        constant(Form.of(kind).stem + "_MASK");
    }

    /** Pushes a bit for each lane of a vector: whether the first value is so to the second. */
    void compare(int condition, String kind, Runnable a, Runnable b) {
        code.loadConstant(VectorSupport.VECTOR_OP_MASK_TOLONG);
        maskClass(kind);
        code.getstatic(
                kind.endsWith("64") ? ConstantDescs.CD_Long : ConstantDescs.CD_Integer,
                "TYPE",
                CD_Class);
        lanes(kind);
        code.loadConstant(condition);
        vectorClass(kind);
        maskClass(kind);
        elementClass(kind);
        lanes(kind);
        a.run();
        b.run();
        code.aconst_null();
        constant("COMPARE_" + kind);
        call("compare", kind, false);
        constant("BITS_" + kind);
        call("maskReductionCoerced", kind, false);
        code.l2i();
    }

    /** Pushes the first value where the bits, an int, say so, and else the second. */
    void select(String kind, Runnable a, Runnable b, Runnable bits) {
        vectorClass(kind);
        maskClass(kind);
        elementClass(kind);
        lanes(kind);
        b.run();
        a.run();
        mask(kind, bits);
        constant("BLEND_" + kind);
        call("blend", kind, true);
    }

    /** Pushes a mask of the bits, an int of which a vector's lanes count. */
    private void mask(String kind, Runnable bits) {
        maskClass(kind);
        elementClass(kind);
        lanes(kind);
        bits.run();
        code.loadConstant((1 << Form.of(kind).lanes) - 1).iand().i2l();
        code.loadConstant(VectorSupport.MODE_BITS_COERCED_LONG_TO_MASK);
        species(kind);
        constant("MASK_" + kind);
        call("fromBitsCoerced", kind, false);
        code.checkcast(MASK);
    }

    /**
     * Lanes of two vectors in another order.
     *
     * @param order a name of {@link RowOrders}, without the kind
     */
    void pick(String order, String kind, Runnable a, Runnable b) {
        vectorClass(kind);
        elementClass(kind);
        lanes(kind);
        constant(order + "_" + kind);
        a.run();
        b.run();
        constant("PICK_" + kind);
        call("selectFromTwoVectorOp", kind, true);
    }

    /** The same value in all lanes; the action pushes a float, int, double or long. */
    void spread(String kind, Runnable value) {
        String name = "spread" + kind;
        vectorClass(name);
        elementClass(name);
        lanes(name);
        value.run();
        switch (kind) {
            case "F32" -> {
                unit.values.bitsOfFloat();
                code.i2l();
            }
            case "B32" -> code.i2l();
            case "F64" -> unit.values.bitsOfDouble();
            default -> {}
        }
        code.loadConstant(VectorSupport.MODE_BROADCAST);
        species(name);
        fallback(name);
        call("fromBitsCoerced", name, true);
    }

    /** Loads a row from the checked address that is on the stack. */
    void load(String kind) {
        String name = "load" + kind;
        int raw = code.allocateLocal(TypeKind.LONG);
        code.lstore(raw);
        vectorClass(name);
        elementClass(name);
        lanes(name);
        code.aconst_null().lload(raw).iconst_1();
        constant("MEMORY");
        code.lload(raw);
        species(name);
        fallback(name);
        call("load", name, true);
    }

    /** Stores a row, which the action pushes, to the checked address that is on the stack. */
    void store(String kind, Runnable value) {
        String name = "store" + kind;
        int raw = code.allocateLocal(TypeKind.LONG);
        code.lstore(raw);
        vectorClass(name);
        elementClass(name);
        lanes(name);
        code.aconst_null().lload(raw).iconst_1();
        value.run();
        constant("MEMORY");
        code.lload(raw);
        fallback(name);
        call("store", name, false);
    }

    /** Stores what the action pushes, in lanes for which there is a bit. */
    void storeMasked(String kind, Runnable value, Runnable bits) {
        String name = "storeMasked" + kind;
        int raw = code.allocateLocal(TypeKind.LONG);
        code.lstore(raw);
        vectorClass(name);
        maskClass(name);
        elementClass(name);
        lanes(name);
        code.aconst_null().lload(raw).iconst_1();
        value.run();
        mask(kind, bits);
        constant("MEMORY");
        code.lload(raw);
        fallback(name);
        call("storeMasked", name, false);
    }
}
