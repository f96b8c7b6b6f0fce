package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_Class;

import facet.jit.runtime.RowIntrinsicsUnsafe;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import jdk.internal.vm.vector.VectorSupport;

/**
 * Emits calls of the JVM's vector intrinsics, which want everything but the values as constants.
 */
final class RowCalls {
    private static final ClassDesc CONSTANTS = ClassDesc.of(RowIntrinsicsUnsafe.class.getName());

    /** Names that {@link Vectorization} gives, and the intrinsic's number. */
    private static final Map<String, Integer> UNARY =
            Map.of("sqrtF32", VectorSupport.VECTOR_OP_SQRT);

    private static final Map<String, Integer> BINARY =
            Map.of(
                    "addF32", VectorSupport.VECTOR_OP_ADD,
                    "subF32", VectorSupport.VECTOR_OP_SUB,
                    "mulF32", VectorSupport.VECTOR_OP_MUL,
                    "divF32", VectorSupport.VECTOR_OP_DIV,
                    "addB32", VectorSupport.VECTOR_OP_ADD,
                    "subB32", VectorSupport.VECTOR_OP_SUB,
                    "mulB32", VectorSupport.VECTOR_OP_MUL,
                    "andB32", VectorSupport.VECTOR_OP_AND,
                    "orB32", VectorSupport.VECTOR_OP_OR,
                    "xorB32", VectorSupport.VECTOR_OP_XOR);

    private static final Map<String, Integer> TERNARY =
            Map.of("fmaF32", VectorSupport.VECTOR_OP_FMA);

    private final CodeBuilder code;
    private final Unit unit;

    RowCalls(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    static boolean has(String name) {
        return UNARY.containsKey(name) || BINARY.containsKey(name) || TERNARY.containsKey(name);
    }

    private static boolean isFloat(String name) {
        return name.endsWith("F32");
    }

    private void constant(String field) {
        try {
            Field found = RowIntrinsicsUnsafe.class.getField(field);
            code.getstatic(CONSTANTS, field, found.getType().describeConstable().orElseThrow());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@code ADD_F32} for {@code addF32}. */
    private void fallback(String name) {
        String stem = name.substring(0, name.length() - 3).toUpperCase(Locale.ROOT);
        constant(stem + "_" + name.substring(name.length() - 3));
    }

    private void vectorClass(String name) {
        constant(isFloat(name) ? "FLOAT_CLASS" : "INT_CLASS");
    }

    private void elementClass(String name) {
        ClassDesc box = isFloat(name) ? ConstantDescs.CD_Float : ConstantDescs.CD_Integer;
        code.getstatic(box, "TYPE", CD_Class);
    }

    private void call(String method, String name, boolean result) {
        Method found =
                Arrays.stream(VectorSupport.class.getMethods())
                        .filter(each -> each.getName().equals(method))
                        .findFirst()
                        .orElseThrow();
        unit.call(found);
        if (result) {
            code.checkcast(RowRegisters.type(isFloat(name) ? "F32" : "B32"));
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
        code.loadConstant(RowIntrinsicsUnsafe.LANES);
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

    /** The same value in all lanes; the action pushes a float or an int. */
    void spread(String kind, Runnable value) {
        String name = "spread" + kind;
        vectorClass(name);
        elementClass(name);
        code.loadConstant(RowIntrinsicsUnsafe.LANES);
        value.run();
        if (isFloat(name)) {
            unit.values.bitsOfFloat();
        }
        code.i2l().loadConstant(VectorSupport.MODE_BROADCAST);
        constant(isFloat(name) ? "FLOAT_SPECIES" : "INT_SPECIES");
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
        code.loadConstant(RowIntrinsicsUnsafe.LANES).aconst_null().lload(raw).iconst_1();
        constant("MEMORY");
        code.lload(raw);
        constant(isFloat(name) ? "FLOAT_SPECIES" : "INT_SPECIES");
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
        code.loadConstant(RowIntrinsicsUnsafe.LANES).aconst_null().lload(raw).iconst_1();
        value.run();
        constant("MEMORY");
        code.lload(raw);
        fallback(name);
        call("store", name, false);
    }
}
