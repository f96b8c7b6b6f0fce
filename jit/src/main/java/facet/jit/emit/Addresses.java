package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.AccessUnsafe;
import facet.jit.runtime.Generic;
import facet.jit.runtime.GlobalChecks;
import facet.jit.runtime.VectorsUnsafe;
import facet.jit.runtime.Windows;
import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Addresses: what a symbol stands for, and from an address operand to an address of this process
 * that was checked.
 */
final class Addresses {
    static final ClassDesc ACCESS = ClassDesc.of(AccessUnsafe.class.getName());
    private static final ClassDesc ROW = ClassDesc.of(VectorsUnsafe.class.getName());
    private static final ClassDesc GLOBAL = ClassDesc.of(GlobalChecks.class.getName());
    private static final ClassDesc GENERIC = ClassDesc.of(Generic.class.getName());

    private final Unit unit;

    Addresses(Unit unit) {
        this.unit = unit;
    }

    /** A symbol with its place. */
    private record Place(@Nullable Space space, long offset, long bytes, String name) {}

    private Place place(String name) {
        if (unit.frame.has(name)) {
            Variable variable = unit.frame.variable(name);
            return new Place(Space.LOCAL, unit.frame.offset(name), variable.bytes(), name);
        }
        Variable local = unit.body.variables().get(name);
        if (local == null && unit.isKernel()) {
            long end = 0;
            for (Variable parameter : unit.body.function().parameters()) {
                end = Extent.append(end, parameter.effectiveAlignment(), parameter.bytes());
                if (parameter.name().equals(name)) {
                    long offset = end - parameter.bytes();
                    return new Place(Space.PARAM, offset, parameter.bytes(), name);
                }
            }
        }
        Variable variable = local != null ? local : unit.program.global(name).orElse(null);
        if (variable == null) {
            Optional<Function> function = unit.program.graph().resolve(name);
            if (function.isPresent()) {
                long address = Windows.CODE + 16L * unit.program.graph().index(function.get());
                return new Place(null, address, 0, name);
            }
            throw new PtxException(
                    PtxException.Kind.INVALID, facet.ptx.Position.NONE, "unknown symbol " + name);
        }
        if (Program.isShared(variable)) {
            // Functions of one kernel share the variables of the module but not of each other.
            String key = local != null ? unit.body.function().name() + "/" + name : name;
            int offset = unit.program.shared(key, variable);
            return offset < 0
                    ? new Place(Space.SHARED, 0, -1, name)
                    : new Place(Space.SHARED, offset, variable.bytes(), name);
        }
        String key = local != null ? unit.body.function().name() + "/" + name : name;
        return new Place(variable.space(), unit.program.symbol(key), variable.bytes(), name);
    }

    /** Pushes the address of a symbol in its own space, as a value of the type. */
    void pushSymbol(Operand.Symbol symbol, Type type) {
        pushPlace(place(symbol.name()), symbol.offset());
        if (Kind.of(type) == Kind.INT) {
            unit.code.l2i();
        }
    }

    private void pushPlace(Place place, long offset) {
        switch (place.space()) {
            case null -> unit.code.loadConstant(Extent.address(place.offset(), offset));
            case LOCAL -> {
                unit.pushFrame();
                add(Extent.address(place.offset(), offset));
            }
            case PARAM -> unit.code.loadConstant(Extent.address(place.offset(), offset));
            case SHARED -> {
                if (place.bytes() < 0) {
                    pushDynamicShared();
                    add(offset);
                } else {
                    unit.code.loadConstant(Extent.address(place.offset(), offset));
                }
            }
            default -> {
                pushGlobal((int) place.offset());
                add(offset);
            }
        }
    }

    private void pushDynamicShared() {
        unit.code.lload(
                unit.invariant(
                        "dynamic shared",
                        TypeKind.LONG,
                        () -> {
                            unit.grid();
                            unit.code.invokevirtual(
                                    Unit.GRID, "sharedBytes", MethodTypeDesc.of(CD_int));
                            unit.grid();
                            unit.code.invokevirtual(
                                    Unit.GRID, "dynamicShared", MethodTypeDesc.of(CD_int));
                            // Dynamic shared memory starts aligned; only its end need not be.
                            unit.code.isub().loadConstant(-Program.ALIGNMENT).iand().i2l();
                        }));
    }

    void pushGlobal(int symbol) {
        unit.code.lload(
                unit.invariant(
                        "symbol " + symbol,
                        TypeKind.LONG,
                        () -> {
                            unit.grid();
                            unit.code
                                    .invokevirtual(
                                            Unit.GRID,
                                            "symbols",
                                            MethodTypeDesc.of(CD_long.arrayType()))
                                    .loadConstant(symbol)
                                    .laload();
                        }));
    }

    private void add(long offset) {
        if (offset != 0) {
            unit.code.loadConstant(offset).ladd();
        }
    }

    /** The offset of a kernel parameter when the address is one, for values loaded once. */
    Optional<Integer> parameterOffset(Instruction instruction, Operand.Address address, int width) {
        if (unit.isKernel()
                && address.base() instanceof Operand.Symbol symbol
                && !unit.frame.has(symbol.name())) {
            Place place = place(symbol.name());
            if (place.space() == Space.PARAM) {
                long offset = offset(symbol, address);
                if (!Extent.contains(place.bytes(), offset, width)) {
                    throw new PtxException(
                            PtxException.Kind.INVALID,
                            instruction.position(),
                            "access outside parameter " + symbol.name());
                }
                // bounded: the verifier allows 32 KiB for all parameters
                return Optional.of((int) (place.offset() + offset));
            }
        }
        return Optional.empty();
    }

    /** From the symbol on. */
    private static long offset(Operand.Symbol symbol, Operand.Address address) {
        return Extent.address(symbol.offset(), address.offset());
    }

    /** Pushes the checked address in this process of {@code width} bytes. */
    void pushRaw(Instruction instruction, Operand operand, int width) {
        Operand.Address address = (Operand.Address) operand;
        if (unit.pushChecked(instruction, address)) {
            return;
        }
        Space space = instruction.space();
        if (address.base() instanceof Operand.Symbol symbol) {
            Place place = place(symbol.name());
            long offset = offset(symbol, address);
            boolean inside =
                    place.bytes() >= 0
                            && Extent.contains(place.bytes(), offset, width)
                            && Extent.address(place.offset(), offset) % width == 0;
            boolean sameSpace =
                    space != null || place.space() == Space.GLOBAL || place.space() == Space.CONST;
            if (inside
                    && sameSpace
                    && place.space() != null
                    && space != Space.GLOBAL
                    && space != Space.CONST
                    && place.space() != Space.GLOBAL
                    && place.space() != Space.CONST) {
                pushPlace(place, offset);
                pushDelta(place.space());
                unit.code.ladd();
                return;
            }
            if (space == null || space.isParam()) {
                space = place.space();
            }
            pushPlace(place, offset);
        } else {
            if (address.base() == null) {
                unit.code.loadConstant(address.offset());
            } else {
                pushBase(address.base(), address.offset());
            }
        }
        check(space, false, width, 0);
    }

    /** Pushes the checked address in this process of 4 bytes for each lane of a row. */
    void pushRow(Instruction instruction, Operand operand) {
        Operand.Address address = (Operand.Address) operand;
        if (unit.pushChecked(instruction, address)) {
            return;
        }
        Operand base = address.base();
        if (base == null) {
            throw new IllegalArgumentException("a row needs an affine address");
        }
        pushBase(base, address.offset());
        check(instruction.space(), true, 4, 0);
    }

    /** Checks the highest and the lowest access of a group and pushes where the lowest is. */
    void pushGroup(AccessGroups.Group group) {
        boolean row = group.kind() == Vectorization.Way.VECTOR;
        int span = Math.toIntExact(group.high() - group.low());
        if (span > 0) {
            pushBase(group.base(), group.high());
            check(group.space(), row, group.width(), -span);
            unit.code.pop2();
        }
        pushBase(group.base(), group.low());
        check(group.space(), row, group.width(), span);
    }

    /** A 32-bit address wraps at 32 bits. */
    private void pushBase(Operand base, long offset) {
        if (base instanceof Register register && register.type().bits() == 32) {
            unit.push(base, Type.U32);
            if (offset != 0) {
                unit.code.loadConstant((int) offset).iadd();
            }
            unit.widen(false);
        } else {
            unit.push(base, Type.U64);
            add(offset);
        }
    }

    /**
     * @param span to the other end of a group that is checked as one; 0: there is none
     */
    private void check(@Nullable Space space, boolean row, int width, int span) {
        if (space == null) {
            generic(width);
            return;
        }
        String method = row ? "checkRow" : "check" + width;
        if (space == Space.GLOBAL || space == Space.CONST) {
            global(method, span);
            return;
        }
        switch (space) {
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> {
                unit.code.lconst_0();
                if (unit.isKernel()) {
                    unit.pushGridLong("parameterBytes");
                } else {
                    pushLocalBytes();
                }
            }
            case LOCAL -> {
                unit.code.lconst_0();
                pushLocalBytes();
            }
            case SHARED, SHARED_CTA, SHARED_CLUSTER -> {
                unit.code.lconst_0();
                unit.code.lload(
                        unit.invariant(
                                "shared size",
                                TypeKind.LONG,
                                () -> {
                                    unit.grid();
                                    unit.code
                                            .invokevirtual(
                                                    Unit.GRID,
                                                    "sharedBytes",
                                                    MethodTypeDesc.of(CD_int))
                                            .i2l();
                                }));
            }
            case GLOBAL, CONST, REG, SREG, TEX ->
                    throw new IllegalArgumentException("no memory of a block: " + space);
        }
        unit.code.invokestatic(
                row ? ROW : ACCESS, method, MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long));
        pushDelta(space);
        unit.code.ladd();
    }

    private void global(String method, int span) {
        unit.pushGridLong("memoryBase");
        unit.pushGridLong("memorySize");
        if (span != 0) {
            unit.code.loadConstant(span);
        }
        unit.code.aload(Unit.BLOCK_SLOT);
        unit.code.invokestatic(
                GLOBAL,
                method,
                span == 0
                        ? MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long, Unit.BLOCK)
                        : MethodTypeDesc.of(
                                CD_long, CD_long, CD_long, CD_long, CD_int, Unit.BLOCK));
        unit.pushGridLong("memoryDelta");
        unit.code.ladd();
    }

    private void pushLocalBytes() {
        unit.code.lload(
                unit.invariant(
                        "local size",
                        TypeKind.LONG,
                        () -> {
                            unit.grid();
                            unit.code
                                    .invokevirtual(
                                            Unit.GRID, "localBytes", MethodTypeDesc.of(CD_int))
                                    .i2l();
                        }));
    }

    /** Pushes what turns an address of the space into one of this process. */
    private void pushDelta(Space space) {
        switch (space) {
            case GLOBAL, CONST -> unit.pushGridLong("memoryDelta");
            case LOCAL -> pushLocalBase();
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> {
                if (unit.isKernel()) {
                    unit.pushGridLong("parameters");
                } else {
                    pushLocalBase();
                }
            }
            case SHARED, SHARED_CTA, SHARED_CLUSTER -> unit.pushBlockLong("shared");
            case REG, SREG, TEX -> throw new IllegalArgumentException("no memory: " + space);
        }
    }

    /** Pushes the address in this process where the thread's local memory starts. */
    void pushLocalBase() {
        unit.pushBlockLong("local");
        unit.code.iload(unit.threadSlot()).i2l();
        pushLocalBytes();
        unit.code.lmul().ladd();
    }

    /** Pushes the address in this process of a place in the frame that is known to be there. */
    void pushFrameRaw(int offset) {
        pushLocalBase();
        unit.pushFrame();
        add(offset);
        unit.code.ladd();
    }

    private void generic(int width) {
        int address = unit.code.allocateLocal(TypeKind.LONG);
        unit.code.lstore(address);
        unit.code
                .aload(Unit.BLOCK_SLOT)
                .iload(unit.threadSlot())
                .lload(address)
                .loadConstant(width);
        unit.code.invokestatic(
                GENERIC,
                "resolve",
                MethodTypeDesc.of(CD_long, Unit.BLOCK, CD_int, CD_long, CD_int));
    }

    /** {@code cvta}: between an address in a space and a generic one. */
    void convert(Instruction instruction) {
        boolean to = instruction.has(facet.ptx.Modifier.TO);
        Operand source = instruction.operand(1);
        Space space = instruction.space();
        if (source instanceof Operand.Symbol symbol) {
            Place place = place(symbol.name());
            pushPlace(place, symbol.offset());
            // The parameters of functions are in the frame.
            space = space != null && space.isParam() ? place.space() : space;
        } else {
            unit.push(source, Type.U64);
        }
        long window = window(space);
        if (window != 0) {
            unit.code.loadConstant(to ? -window : window).ladd();
        }
        unit.store(instruction.operand(0), Type.U64);
    }

    static long window(@Nullable Space space) {
        if (space == null) {
            return 0;
        }
        return switch (space) {
            case SHARED, SHARED_CTA, SHARED_CLUSTER -> Windows.SHARED;
            case LOCAL -> Windows.LOCAL;
            case PARAM, PARAM_ENTRY, PARAM_FUNC -> Windows.PARAMETER;
            default -> 0;
        };
    }

    /** The values that a vector operand holds, one for any other operand. */
    static List<Operand> elements(Operand operand) {
        return switch (operand) {
            case Operand.Vector vector -> vector.elements();
            case Register register when register.lanes() > 1 ->
                    IntStream.range(0, register.lanes())
                            .<Operand>mapToObj(lane -> new Operand.Element(register, lane))
                            .toList();
            default -> List.of(operand);
        };
    }
}
