package facet.jit.emit;

import facet.jit.runtime.AccessUnsafe;
import facet.ptx.Extent;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Type;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** From an address operand to an address of this process that was checked. */
final class Addresses {
    static final ClassDesc ACCESS = ClassDesc.of(AccessUnsafe.class.getName());

    private final Unit unit;
    private final Symbols symbols;
    private final Spaces spaces;

    Addresses(Unit unit) {
        this.unit = unit;
        this.symbols = new Symbols(unit);
        this.spaces = new Spaces(unit);
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
            Symbols.Place place = symbols.place(symbol.name());
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

    /** Whether what an operand names is written; of most instructions it is read and written. */
    private static boolean writes(Instruction instruction, Operand address) {
        return switch (instruction.opcode()) {
            case LD, LDU -> false;
            case CP -> instruction.operands().size() < 2 || !address.equals(instruction.operand(1));
            default -> true;
        };
    }

    /** Pushes the checked address in this process of {@code width} bytes. */
    void pushRaw(Instruction instruction, Operand operand, int width) {
        Operand.Address address = (Operand.Address) operand;
        if (unit.groups.push(instruction, address)) {
            return;
        }
        Space space = instruction.space();
        if (address.base() instanceof Operand.Symbol symbol) {
            Symbols.Place place = symbols.place(symbol.name());
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
                symbols.push(place, offset);
                spaces.pushDelta(place.space());
                unit.code.ladd();
                return;
            }
            if (space == null || space.isParam()) {
                space = place.space();
            }
            symbols.push(place, offset);
        } else {
            if (address.base() == null) {
                unit.code.loadConstant(address.offset());
            } else {
                pushBase(address.base(), address.offset());
            }
        }
        spaces.check(space, false, width, 0, writes(instruction, operand));
    }

    /**
     * Pushes the checked address in this process of what a row accesses, its lanes side by side.
     */
    void pushRow(Instruction instruction, Operand operand) {
        Operand.Address address = (Operand.Address) operand;
        if (unit.groups.push(instruction, address)) {
            return;
        }
        Operand base = address.base();
        if (base == null) {
            throw new IllegalArgumentException("a row needs an affine address");
        }
        pushBase(base, address.offset());
        boolean loads = !writes(instruction, operand);
        int count = elements(instruction.operand(loads ? 0 : 1)).size();
        int width = instruction.type().bytes(count);
        spaces.check(instruction.space(), true, width, 0, !loads);
    }

    /** The same; goes elsewhere when it is not all in memory of the block or the context. */
    void pushRowOr(Instruction instruction, Label elsewhere) {
        boolean loads = instruction.opcode() != facet.ptx.Opcode.ST;
        Operand.Address address = (Operand.Address) instruction.operand(loads ? 1 : 0);
        int count = elements(instruction.operand(loads ? 0 : 1)).size();
        int at = unit.code.allocateLocal(TypeKind.LONG);
        Space space = Objects.requireNonNull(instruction.space());
        pushBase(Objects.requireNonNull(address.base()), address.offset());
        unit.code.lstore(at).lload(at);
        spaces.isRow(space, instruction.type().bytes(count));
        unit.code.ifeq(elsewhere).lload(at);
        spaces.pushDelta(space);
        unit.code.ladd();
    }

    /**
     * A local with the address in this process of the first lane, where lanes are so far from each
     * other; goes elsewhere when one is not in memory of the block or the context.
     */
    int strided(Instruction instruction, Operand.Address address, int stride, Label elsewhere) {
        int at = unit.code.allocateLocal(TypeKind.LONG);
        Space space = Objects.requireNonNull(instruction.space());
        pushBase(Objects.requireNonNull(address.base()), address.offset());
        unit.code.lstore(at).lload(at);
        spaces.isStrided(space, instruction.type().bytes(), stride);
        unit.code.ifeq(elsewhere).lload(at);
        spaces.pushDelta(space);
        unit.code.ladd().lstore(at);
        return at;
    }

    /** Checks the highest and the lowest access of a group and pushes where the lowest is. */
    void pushGroup(AccessGroups.Group group) {
        boolean row = group.kind() == Vectorization.Way.VECTOR;
        int span = Math.toIntExact(group.high() - group.low());
        if (span > 0) {
            pushBase(group.base(), group.high());
            spaces.check(group.space(), row, group.width(), -span, group.writes());
            unit.code.pop2();
        }
        pushBase(group.base(), group.low());
        spaces.check(group.space(), row, group.width(), span, group.writes());
    }

    /** A 32-bit address wraps at 32 bits. */
    private void pushBase(Operand base, long offset) {
        if (base instanceof Register register && register.type().bits() == 32) {
            unit.push(base, Type.U32);
            if (offset != 0) {
                unit.code.loadConstant((int) offset).iadd();
            }
            unit.values.widen(false);
        } else {
            unit.push(base, Type.U64);
            add(offset);
        }
    }

    /** Pushes the address in this process of a place in the frame that is known to be there. */
    void pushFrameRaw(int offset) {
        spaces.pushLocalBase();
        unit.pushFrame();
        add(offset);
        unit.code.ladd();
    }

    /** {@code cvta}: between an address in a space and a generic one. */
    void convert(Instruction instruction) {
        boolean to = instruction.has(facet.ptx.Modifier.TO);
        Operand source = instruction.operand(1);
        Space space = instruction.space();
        if (source instanceof Operand.Symbol symbol) {
            Symbols.Place place = symbols.place(symbol.name());
            symbols.push(place, symbol.offset());
            // The parameters of functions are in the frame.
            space = space != null && space.isParam() ? place.space() : space;
        } else {
            unit.push(source, Type.U64);
        }
        long window = Spaces.window(space);
        if (window != 0) {
            unit.code.loadConstant(to ? -window : window).ladd();
        }
        unit.store(instruction.operand(0), Type.U64);
    }

    /** The values that a vector operand holds, one for any other operand. */
    static List<Operand> elements(Operand operand) {
        return switch (operand) {
            case Operand.Vector vector -> vector.elements();
            case Register register when register.lanes() > 1 ->
                    IntStream.range(0, register.lanes())
                            .<Operand>mapToObj(lane -> new Operand.Element(register, lane))
                            .toList();
            case Register _,
                    Operand.Element _,
                    Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _,
                    Operand.Sink _ ->
                    List.of(operand);
        };
    }
}
