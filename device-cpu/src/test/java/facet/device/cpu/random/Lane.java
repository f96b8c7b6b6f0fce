package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;

import org.jspecify.annotations.Nullable;

/** One thread. */
final class Lane {
    private static final int LOCAL_BYTES = 16 << 10;

    final ThreadBlock block;

    /** Linear number in the block; its low five bits are the place in the warp. */
    final int number;

    final Memory local = new Memory(LOCAL_BYTES);
    Frame frame;
    boolean exited;
    long carry;

    /** The barrier or warp operation that the thread has come to. */
    @Nullable Instruction waiting;

    /** A call under way: registers as zero-extended bits, and where its variables start. */
    static final class Frame {
        final Program.Code code;
        final long[] registers;
        final int base;
        final @Nullable Frame caller;
        int next;

        Frame(Program.Code code, int base, @Nullable Frame caller) {
            this.code = code;
            this.registers = new long[code.body().registers().size()];
            this.base = base;
            this.caller = caller;
        }
    }

    Lane(ThreadBlock block, int number, Program.Code kernel) {
        this.block = block;
        this.number = number;
        this.frame = new Frame(kernel, 0, null);
    }

    boolean runs() {
        return !exited && waiting == null;
    }

    int lane() {
        return number & 31;
    }

    boolean holds(Instruction.@Nullable Guard guard) {
        return guard == null || (frame.registers[guard.predicate().id()] != 0) != guard.negated();
    }

    /** The value as the type says: sign-extended or zero-extended to 64 bits; floats as bits. */
    long read(Operand operand, Type type) {
        return switch (operand) {
            case Register register -> fit(frame.registers[register.id()], type);
            case Operand.NotPredicate not -> frame.registers[not.predicate().id()] ^ 1;
            case Operand.IntegerImmediate immediate -> fit(immediate.value(), type);
            case Operand.FloatImmediate immediate -> number(immediate, type);
            case Operand.Special special -> fit(block.special(special, number), type);
            case Operand.Symbol symbol -> addressOf(symbol.name()) + symbol.offset();
            default -> throw new IllegalStateException("operand " + operand);
        };
    }

    private static long number(Operand.FloatImmediate immediate, Type type) {
        if (immediate.type() == Type.F64 && type.bits() == 32) {
            double value = Double.longBitsToDouble(immediate.bits());
            return Float.floatToRawIntBits((float) value) & 0xffff_ffffL;
        }
        return fit(immediate.bits(), type);
    }

    void write(Operand destination, Type type, long value) {
        switch (destination) {
            case Register register ->
                    frame.registers[register.id()] =
                            fit(value, type) & mask(register.type().bits());
            case Operand.Sink _ -> {}
            default -> throw new IllegalStateException("destination " + destination);
        }
    }

    static long fit(long value, Type type) {
        int spare = 64 - type.bits();
        return type.isSigned() ? value << spare >> spare : value & mask(type.bits());
    }

    private static long mask(int bits) {
        return -1L >>> (64 - bits);
    }

    long address(Operand operand) {
        if (!(operand instanceof Operand.Address address)) {
            throw new IllegalStateException("address " + operand);
        }
        Operand base = address.base();
        return base == null ? address.offset() : read(base, Type.U64) + address.offset();
    }

    /** Where a variable is in its own space. */
    private long addressOf(String name) {
        Integer offset = frame.code.offsets().get(name);
        return offset != null ? frame.base + offset : frame.code.shared().get(name);
    }
}
