package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.Lanes;
import facet.jit.runtime.RowFunctions;
import facet.jit.runtime.RowHalves;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import jdk.internal.vm.vector.VectorSupport;

/** Instructions done as vector operations. */
final class RowOperations {
    private static final ClassDesc FUNCTIONS = ClassDesc.of(RowFunctions.class.getName());
    private static final ClassDesc HALVES = ClassDesc.of(RowHalves.class.getName());
    private static final ClassDesc FLOATS = CD_float.arrayType();

    private final VectorUnit unit;
    private final CodeBuilder code;
    private final RowAccesses accesses;
    private final RowConversions conversions;

    RowOperations(VectorUnit unit, Copies copies) {
        this.unit = unit;
        this.code = unit.code;
        this.accesses = new RowAccesses(unit, copies);
        this.conversions = new RowConversions(unit);
    }

    void emit(Instruction instruction) {
        switch (instruction.opcode()) {
            case LD, LDU -> accesses.load(instruction);
            case ST -> accesses.store(instruction);
            case MOV -> move(instruction);
            default -> {
                if (conversions.handles(instruction)) {
                    conversions.emit(instruction);
                } else if (RowShorts.handles(instruction)) {
                    new RowShorts(unit).emit(instruction);
                } else {
                    operation(instruction, RowNames.of(instruction).orElseThrow());
                }
            }
        }
    }

    private void move(Instruction instruction) {
        Operand from = instruction.operand(1);
        String kind = unit.registers.kindOf(instruction.operand(0), instruction.type());
        boolean shorts = instruction.type().bits() == 16 && !(from instanceof Register);
        for (int part = 0; part < unit.registers.parts(kind); part++) {
            if (shorts) {
                unit.rows.spread("B32", () -> unit.push(from, Type.U16));
            } else {
                unit.registers.push(from, kind, part);
            }
            unit.registers.store(instruction.operand(0), kind, part);
        }
    }

    private void operation(Instruction instruction, String name) {
        String suffix = name.substring(name.length() - 3);
        int parts = name.endsWith("Pred") ? 1 : unit.registers.parts(suffix);
        boolean decides = instruction.opcode() == Opcode.SETP;
        for (int part = 0; part < parts; part++) {
            operation(instruction, name, suffix, part);
            if (!decides) {
                flush(instruction, suffix);
                unit.registers.store(instruction.operand(0), result(name, suffix), part);
            } else {
                unit.registers.join(suffix, part);
            }
        }
        if (decides) {
            unit.registers.store(instruction.operand(0), "Pred");
        }
    }

    private static String result(String name, String suffix) {
        boolean halves = suffix.equals("F16") || suffix.equals("H32");
        return RowMethods.has(name)
                ? kind(RowMethods.of(name).getReturnType())
                : halves ? "B32" : suffix;
    }

    private void operation(Instruction instruction, String name, String suffix, int part) {
        Runnable[] values = new Runnable[instruction.operands().size() - 1];
        for (int i = 0; i < values.length; i++) {
            Operand operand = instruction.operand(1 + i);
            values[i] = () -> push(instruction, operand, suffix, part);
        }
        String stem = name.substring(0, name.length() - 3);
        switch (stem) {
            case "madLo" ->
                    unit.rows.operate(
                            "add" + suffix,
                            () -> unit.rows.operate("mul" + suffix, values[0], values[1]),
                            values[2]);
            case "mulLo" -> unit.rows.operate("mul" + suffix, values);
            case "rcp" -> unit.rows.operate("div" + suffix, () -> pushOne(suffix), values[0]);
            case "rsqrt" ->
                    unit.rows.operate(
                            "div" + suffix,
                            () -> pushOne(suffix),
                            () -> unit.rows.operate("sqrt" + suffix, values));
            case "ex2", "lg2", "sin", "cos" -> function(stem, values[0]);
            default -> {
                if (suffix.equals("F16") || suffix.equals("H32")) {
                    halves(instruction, name, part);
                } else if (stem.equals("shl") || stem.equals("shr")) {
                    int by = (int) ((Operand.IntegerImmediate) instruction.operand(2)).value();
                    String kind = "B" + suffix.substring(1);
                    unit.rows.shift(
                            name, () -> push(instruction, instruction.operand(1), kind, part), by);
                } else if (instruction.opcode() == Opcode.SETP) {
                    compare(instruction, stem, suffix, part);
                } else if (stem.equals("select")) {
                    unit.rows.select(
                            suffix,
                            values[0],
                            values[1],
                            () -> {
                                unit.registers.push(instruction.operand(3), "Pred");
                                unit.registers.part(suffix, part);
                            });
                } else if (RowCalls.has(name)) {
                    unit.rows.operate(name, values);
                } else {
                    method(instruction, name, part);
                }
            }
        }
    }

    private void compare(Instruction instruction, String relation, String suffix, int part) {
        boolean unsigned = suffix.startsWith("U");
        String kind = (suffix.startsWith("F") ? "F" : "B") + suffix.substring(1);
        // Unordered ones are what the opposite is not.
        boolean opposite = relation.length() == 3 && !relation.equals("neu");
        int condition =
                switch (relation) {
                    case "eq" -> VectorSupport.BT_eq;
                    case "ne", "neu" -> VectorSupport.BT_ne;
                    case "lt", "lo", "geu" -> unsigned ? VectorSupport.BT_ult : VectorSupport.BT_lt;
                    case "le", "ls", "gtu" -> unsigned ? VectorSupport.BT_ule : VectorSupport.BT_le;
                    case "gt", "hi", "leu" -> unsigned ? VectorSupport.BT_ugt : VectorSupport.BT_gt;
                    default -> unsigned ? VectorSupport.BT_uge : VectorSupport.BT_ge;
                };
        unit.rows.compare(
                condition,
                kind,
                () -> push(instruction, instruction.operand(1), kind, part),
                () -> push(instruction, instruction.operand(2), kind, part));
        if (opposite) {
            code.loadConstant((1 << RowRegisters.lanes(kind)) - 1).ixor();
        }
    }

    private void push(Instruction instruction, Operand operand, String kind, int part) {
        unit.registers.push(operand, kind, part);
        flush(instruction, kind);
    }

    /** What is too small for an exponent becomes zero, where the instruction says so. */
    private void flush(Instruction instruction, String kind) {
        if (kind.equals("F32") && instruction.has(Modifier.FTZ)) {
            unit.operate("flushF32");
        }
    }

    /** A function that is called: its values go through arrays. */
    private void function(String name, Runnable value) {
        int from = floats("from");
        int into = floats("into");
        value.run();
        code.aload(from).iconst_0();
        unit.operate("putF32");
        code.aload(from).aload(into);
        code.invokestatic(FUNCTIONS, name + "Row", MethodTypeDesc.of(CD_void, FLOATS, FLOATS));
        code.aload(into).iconst_0();
        unit.operate("getF32");
    }

    /** The same for halves and pairs of them. */
    private void halves(Instruction instruction, String name, int part) {
        int count = instruction.operands().size() - 1;
        int[] arrays = new int[count + 1];
        ClassDesc[] types = new ClassDesc[count + 1];
        for (int i = 0; i <= count; i++) {
            types[i] = RegionFlow.INTS;
            arrays[i] =
                    unit.invariants.of(
                            "halves " + i,
                            TypeKind.REFERENCE,
                            () -> code.loadConstant(Lanes.COUNT).newarray(TypeKind.INT));
            if (i < count) {
                unit.registers.push(instruction.operand(1 + i), "B32", part);
                code.aload(arrays[i]).iconst_0();
                unit.operate("putB32");
            }
        }
        for (int array : arrays) {
            code.aload(array);
        }
        code.invokestatic(HALVES, name + "Row", MethodTypeDesc.of(CD_void, types));
        code.aload(arrays[count]).iconst_0();
        unit.operate("getB32");
    }

    private int floats(String name) {
        return unit.invariants.of(
                "function " + name,
                TypeKind.REFERENCE,
                () -> code.loadConstant(Lanes.COUNT).newarray(TypeKind.FLOAT));
    }

    private void pushOne(String kind) {
        unit.rows.spread(
                kind,
                () -> {
                    if (kind.equals("F64")) {
                        code.dconst_1();
                    } else {
                        code.fconst_1();
                    }
                });
    }

    private void method(Instruction instruction, String name, int part) {
        Class<?>[] parameters = RowMethods.of(name).getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            Operand operand = instruction.operand(1 + i);
            if (parameters[i] != int.class) {
                push(instruction, operand, kind(parameters[i]), part);
            } else if (isPredicate(name, i)) {
                unit.registers.push(operand, "Pred");
                if (!name.endsWith("Pred")) {
                    unit.registers.part(name, part);
                }
            } else {
                unit.push(operand, Type.U32);
            }
        }
        if (name.equals("notPred")) {
            code.loadConstant(unit.allLanes()).ixor();
        } else {
            unit.operate(name);
        }
    }

    private static boolean isPredicate(String name, int parameter) {
        return name.endsWith("Pred") || name.startsWith("select") && parameter == 2;
    }

    private static String kind(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "FloatVector" -> "F32";
            case "IntVector" -> "B32";
            case "DoubleVector" -> "F64";
            case "LongVector" -> "B64";
            default -> "Pred";
        };
    }
}
