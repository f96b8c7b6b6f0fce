package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Locale;

/** {@code set}, {@code setp}, {@code selp}, {@code slct} (PTX ISA 9.7.6, 9.7.7). */
final class Comparison {
    private static final ClassDesc INTEGER = ClassDesc.of("java.lang.Integer");
    private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

    private final Unit unit;
    private final CodeBuilder code;

    Comparison(Unit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    private static boolean combines(Modifier modifier) {
        return modifier == Modifier.AND || modifier == Modifier.OR || modifier == Modifier.XOR;
    }

    private static Modifier relation(Instruction instruction) {
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Modifier modifier
                    && modifier != Modifier.FTZ
                    && !combines(modifier)) {
                return modifier;
            }
        }
        throw Unit.unsupported(instruction, "needs a comparison such as .eq");
    }

    void setPredicate(Instruction instruction) {
        Type type = instruction.type();
        Operand result = instruction.operand(0);
        Operand first = result instanceof Operand.PredicatePair pair ? pair.first() : result;
        Operand second =
                result instanceof Operand.PredicatePair pair ? pair.second() : new Operand.Sink();
        if (type == Type.F16X2 || type == Type.BF16X2) {
            for (int half = 0; half < 2; half++) {
                compareHalf(instruction, type, half);
                combine(instruction, 3);
            }
            unit.store(second, Type.PRED);
            unit.store(first, Type.PRED);
            return;
        }
        compare(instruction, type);
        boolean both = !(second instanceof Operand.Sink);
        int saved = both ? code.allocateLocal(TypeKind.INT) : -1;
        if (both) {
            code.dup().istore(saved);
        }
        // The combining predicate may be one of the results: read it for both before storing.
        combine(instruction, 3);
        if (both) {
            code.iload(saved).iconst_1().ixor();
            combine(instruction, 3);
            unit.store(second, Type.PRED);
        }
        unit.store(first, Type.PRED);
    }

    void set(Instruction instruction) {
        Type into = instruction.type();
        Type type = instruction.typeAt(1) == null ? into : instruction.typeAt(1);
        if (type == Type.F16X2 || type == Type.BF16X2) {
            int low = code.allocateLocal(TypeKind.INT);
            compareHalf(instruction, type, 0);
            combine(instruction, 3);
            half(into, type);
            code.istore(low);
            compareHalf(instruction, type, 1);
            combine(instruction, 3);
            half(into, type);
            code.loadConstant(16).ishl().iload(low).ior();
            unit.store(instruction.operand(0), Type.B32);
            return;
        }
        compare(instruction, type);
        combine(instruction, 3);
        if (into == Type.F32) {
            code.i2f();
            unit.store(instruction.operand(0), Type.F32);
        } else if (into == Type.F16 || into == Type.BF16) {
            code.loadConstant(into == Type.F16 ? 0x3c00 : 0x3f80).imul();
            unit.store(instruction.operand(0), Type.B16);
        } else {
            code.ineg();
            unit.store(instruction.operand(0), into.bits() == 16 ? Type.S16 : Type.S32);
        }
    }

    /** One half of a packed result: 1.0 where the destination is packed floats, else all ones. */
    private void half(Type into, Type compared) {
        int one = compared == Type.F16X2 ? 0x3c00 : 0x3f80;
        code.loadConstant(into.isFloat() ? one : 0xffff).imul();
    }

    private void compareHalf(Instruction instruction, Type type, int half) {
        Type single = type == Type.F16X2 ? Type.F16 : Type.BF16;
        for (int i = 1; i <= 2; i++) {
            unit.push(instruction.operand(i), Type.B32);
            if (half == 1) {
                code.loadConstant(16).iushr();
            } else {
                code.i2c();
            }
            new Arithmetic(unit).flush(single, instruction.has(Modifier.FTZ));
            unit.callMath(single, "toFloat");
        }
        floats(Type.F32, relation(instruction));
    }

    /** Combines the int on the stack with the predicate operand, where there is one. */
    private void combine(Instruction instruction, int operand) {
        if (instruction.operands().size() <= operand) {
            return;
        }
        unit.push(instruction.operand(operand), Type.PRED);
        if (instruction.has(Modifier.AND)) {
            code.iand();
        } else if (instruction.has(Modifier.OR)) {
            code.ior();
        } else {
            code.ixor();
        }
    }

    private void compare(Instruction instruction, Type type) {
        Modifier relation = relation(instruction);
        if (type.isFloat()) {
            for (int i = 1; i <= 2; i++) {
                unit.push(instruction.operand(i), type);
                new Arithmetic(unit).flush(type, instruction.has(Modifier.FTZ));
                if (isHalf(type)) {
                    unit.callMath(type, "toFloat");
                }
            }
            floats(isHalf(type) ? Type.F32 : type, relation);
            return;
        }
        boolean wide = Kind.of(type) == Kind.LONG;
        boolean unsigned =
                !type.isSigned()
                        || relation == Modifier.LO
                        || relation == Modifier.LS
                        || relation == Modifier.HI
                        || relation == Modifier.HS;
        Type read = unsigned && type == Type.S16 ? Type.U16 : type;
        unit.push(instruction.operand(1), read);
        unit.push(instruction.operand(2), read);
        boolean equality = relation == Modifier.EQ || relation == Modifier.NE;
        if (unsigned && !equality && type.bits() >= 32) {
            ClassDesc value = wide ? CD_long : CD_int;
            code.invokestatic(
                    wide ? LONG : INTEGER,
                    "compareUnsigned",
                    MethodTypeDesc.of(CD_int, value, value));
            test(relation, false);
        } else if (wide) {
            code.lcmp();
            test(relation, false);
        } else {
            test(relation, true);
        }
    }

    /** Turns two ints, or the sign of a comparison, into 0 or 1. */
    private void test(Modifier relation, boolean two) {
        Label yes = code.newLabel();
        Label done = code.newLabel();
        switch (relation) {
            case EQ -> branch(two, yes, CodeBuilder::if_icmpeq, CodeBuilder::ifeq);
            case NE -> branch(two, yes, CodeBuilder::if_icmpne, CodeBuilder::ifne);
            case LT, LO -> branch(two, yes, CodeBuilder::if_icmplt, CodeBuilder::iflt);
            case LE, LS -> branch(two, yes, CodeBuilder::if_icmple, CodeBuilder::ifle);
            case GT, HI -> branch(two, yes, CodeBuilder::if_icmpgt, CodeBuilder::ifgt);
            case GE, HS -> branch(two, yes, CodeBuilder::if_icmpge, CodeBuilder::ifge);
            default -> throw new IllegalArgumentException("not an integer comparison: " + relation);
        }
        code.iconst_0().goto_(done).labelBinding(yes).iconst_1().labelBinding(done);
    }

    private void branch(
            boolean two,
            Label target,
            java.util.function.BiConsumer<CodeBuilder, Label> pair,
            java.util.function.BiConsumer<CodeBuilder, Label> sign) {
        (two ? pair : sign).accept(code, target);
    }

    /** Its values are compared as values of f32, which has them all. */
    private static boolean isHalf(Type type) {
        return type == Type.F16 || type == Type.BF16;
    }

    /** NaN makes {@code fcmpg} 1 and {@code fcmpl} -1, which decides ordered against unordered. */
    private void floats(Type type, Modifier relation) {
        Kind kind = Kind.of(type);
        switch (relation) {
            case LT, LE -> greater(kind);
            case GT, GE, EQ, NEU, LTU, LEU -> less(kind);
            case GTU, GEU -> greater(kind);
            default -> {
                unit.callMath(type, relation.text().toLowerCase(Locale.ROOT));
                return;
            }
        }
        test(
                switch (relation) {
                    case LTU -> Modifier.LT;
                    case LEU -> Modifier.LE;
                    case GTU -> Modifier.GT;
                    case GEU -> Modifier.GE;
                    case NEU -> Modifier.NE;
                    default -> relation;
                },
                false);
    }

    private void less(Kind kind) {
        if (kind == Kind.FLOAT) {
            code.fcmpl();
        } else {
            code.dcmpl();
        }
    }

    private void greater(Kind kind) {
        if (kind == Kind.FLOAT) {
            code.fcmpg();
        } else {
            code.dcmpg();
        }
    }

    void select(Instruction instruction) {
        Type type = instruction.type();
        Label no = code.newLabel();
        Label done = code.newLabel();
        unit.push(instruction.operand(3), Type.PRED);
        code.ifeq(no);
        unit.push(instruction.operand(1), type);
        code.goto_(done).labelBinding(no);
        unit.push(instruction.operand(2), type);
        code.labelBinding(done);
        unit.store(instruction.operand(0), type);
    }

    /** {@code slct}: by the sign of the third operand; NaN selects the second. */
    void selectBySign(Instruction instruction) {
        Type type = instruction.type();
        Type by = instruction.typeAt(1);
        Label no = code.newLabel();
        Label done = code.newLabel();
        if (by == Type.F32) {
            unit.push(instruction.operand(3), Type.F32);
            new Arithmetic(unit).flush(Type.F32, instruction.has(Modifier.FTZ));
            code.fconst_0().fcmpl().iflt(no);
        } else {
            unit.push(instruction.operand(3), Type.S32);
            code.iflt(no);
        }
        unit.push(instruction.operand(1), type);
        code.goto_(done).labelBinding(no);
        unit.push(instruction.operand(2), type);
        code.labelBinding(done);
        unit.store(instruction.operand(0), type);
    }
}
