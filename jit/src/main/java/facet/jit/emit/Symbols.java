package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.jit.runtime.Windows;
import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a symbol stands for: the space, and the address there, of a variable or a function. */
final class Symbols {
    private final Unit unit;

    Symbols(Unit unit) {
        this.unit = unit;
    }

    /** A symbol with its place. */
    record Place(@Nullable Space space, long offset, long bytes, String name) {}

    Place place(String name) {
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
    void push(Operand.Symbol symbol, Type type) {
        push(place(symbol.name()), symbol.offset());
        if (Kind.of(type) == Kind.INT) {
            unit.code.l2i();
        }
    }

    void push(Place place, long offset) {
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
                if (unit.program.knowsClusters()) {
                    new Spaces(unit).pushSharedBase();
                    unit.code.ladd();
                }
            }
            case CONST,
                    GLOBAL,
                    REG,
                    SREG,
                    PARAM_ENTRY,
                    PARAM_FUNC,
                    SHARED_CTA,
                    SHARED_CLUSTER,
                    TEX -> {
                pushGlobal((int) place.offset());
                add(offset);
            }
        }
    }

    private void pushDynamicShared() {
        unit.code.lload(
                unit.invariants.of(
                        "dynamic shared",
                        TypeKind.LONG,
                        () -> {
                            unit.invariants.pushGrid();
                            unit.code.invokevirtual(
                                    Unit.GRID, "sharedBytes", MethodTypeDesc.of(CD_int));
                            unit.invariants.pushGrid();
                            unit.code.invokevirtual(
                                    Unit.GRID, "dynamicShared", MethodTypeDesc.of(CD_int));
                            // Dynamic shared memory starts aligned; only its end need not be.
                            unit.code.isub().loadConstant(-Program.ALIGNMENT).iand().i2l();
                        }));
    }

    void pushGlobal(int symbol) {
        unit.code.lload(
                unit.invariants.of(
                        "symbol " + symbol,
                        TypeKind.LONG,
                        () -> {
                            unit.invariants.pushGrid();
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
}
