package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.AtomicsUnsafe;
import facet.jit.runtime.SharedAtomicsUnsafe;
import facet.jit.runtime.WideAtomicsUnsafe;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code atom} and {@code red} (PTX ISA 9.7.13.5, 9.7.13.7). */
final class Atomics {
    private static final ClassDesc GLOBAL = ClassDesc.of(AtomicsUnsafe.class.getName());
    private static final ClassDesc SHARED = ClassDesc.of(SharedAtomicsUnsafe.class.getName());
    private static final ClassDesc WIDE = ClassDesc.of(WideAtomicsUnsafe.class.getName());
    private static final Set<String> ON_SHARED = names(SharedAtomicsUnsafe.class);
    private static final Set<String> ON_GLOBAL = names(AtomicsUnsafe.class);
    private static final List<Modifier> OPERATIONS =
            List.of(
                    Modifier.ADD,
                    Modifier.MIN,
                    Modifier.MAX,
                    Modifier.INC,
                    Modifier.DEC,
                    Modifier.CAS,
                    Modifier.EXCH,
                    Modifier.AND,
                    Modifier.OR,
                    Modifier.XOR);

    private final Unit unit;

    Atomics(Unit unit) {
        this.unit = unit;
    }

    private static Set<String> names(Class<?> owner) {
        return Arrays.stream(owner.getDeclaredMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    private static Modifier operation(Instruction instruction) {
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Modifier modifier && OPERATIONS.contains(modifier)) {
                return modifier;
            }
        }
        throw Unit.unsupported(instruction, "this atomic operation is not supported");
    }

    void emit(Instruction instruction) {
        boolean red = instruction.opcode() == Opcode.RED;
        Type type = instruction.type();
        Modifier operation = operation(instruction);
        int first = red ? 0 : 1;
        Operand destination = red ? new Operand.Sink() : instruction.operand(0);
        Operand address = instruction.operand(first);
        Operand value = instruction.operand(first + 1);
        if (type == Type.B128) {
            wide(instruction, operation, destination, first);
            return;
        }
        List<Operand> values = Addresses.elements(value);
        if (values.size() > 1) {
            vector(instruction, operation, destination, address, values);
            return;
        }
        new Addresses(unit).pushRaw(instruction, address, type.bytes());
        Type bits = Type.ofBits(type.bits());
        unit.push(value, bits);
        if (operation == Modifier.CAS) {
            unit.push(instruction.operand(first + 2), bits);
        }
        perform(instruction, operation, type);
        unit.store(destination, bits);
    }

    private void vector(
            Instruction instruction,
            Modifier operation,
            Operand destination,
            Operand address,
            List<Operand> values) {
        Type type = instruction.type();
        new Addresses(unit).pushRaw(instruction, address, type.bytes(values.size()));
        int raw = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(raw);
        List<Operand> into = Addresses.elements(destination);
        for (int i = 0; i < values.size(); i++) {
            unit.code.lload(raw).loadConstant((long) type.bytes(i)).ladd();
            unit.push(values.get(i), Type.ofBits(type.bits()));
            perform(instruction, operation, type);
            unit.store(
                    destination instanceof Operand.Sink ? destination : into.get(i),
                    Type.ofBits(type.bits()));
        }
    }

    private void perform(Instruction instruction, Modifier operation, Type type) {
        Space space = instruction.space();
        boolean shared = space != null && space.isShared();
        String text = operation.text();
        String name =
                switch (operation) {
                    case MIN, MAX, INC, DEC -> text + type.text().toUpperCase(Locale.ROOT);
                    case ADD ->
                            type.isFloat()
                                    ? text + type.text().toUpperCase(Locale.ROOT)
                                    : text + "B" + type.bits();
                    default -> text + "B" + type.bits();
                };
        if (name.equals("addF32") && space == Space.GLOBAL) {
            name = "addFtzF32";
        }
        boolean onShared = shared && ON_SHARED.contains(name);
        if (!onShared && !ON_GLOBAL.contains(name)) {
            throw Unit.unsupported(instruction, "this atomic operation is not supported");
        }
        ClassDesc value = Kind.of(Type.ofBits(type.bits())) == Kind.LONG ? CD_long : CD_int;
        MethodTypeDesc signature =
                operation == Modifier.CAS
                        ? MethodTypeDesc.of(value, CD_long, value, value)
                        : MethodTypeDesc.of(value, CD_long, value);
        unit.code.invokestatic(onShared ? SHARED : GLOBAL, name, signature);
    }

    /** 128 bits: two longs go in, the old low half comes back and the high one is fetched after. */
    private void wide(Instruction instruction, Modifier operation, Operand destination, int first) {
        new Addresses(unit).pushRaw(instruction, instruction.operand(first), 16);
        int values = operation == Modifier.CAS ? 2 : 1;
        for (int i = 0; i < values; i++) {
            Register register = (Register) instruction.operand(first + 1 + i);
            unit.pushRegister(register, 0, Type.B64);
            unit.pushRegister(register, 1, Type.B64);
        }
        ClassDesc[] parameters = new ClassDesc[1 + 2 * values];
        Arrays.fill(parameters, CD_long);
        unit.code.invokestatic(
                WIDE, operation.text(), MethodTypeDesc.of(CD_long.arrayType(), parameters));
        int pair = unit.code.allocateLocal(TypeKind.REFERENCE);
        unit.code.astore(pair);
        if (destination instanceof Register register) {
            unit.code.aload(pair).iconst_0().laload();
            unit.storeRegister(register, 0, Type.B64);
            unit.code.aload(pair).iconst_1().laload();
            unit.storeRegister(register, 1, Type.B64);
        }
    }
}
