package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Space;
import facet.ptx.Type;
import facet.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** One instruction of one thread, but for those at which threads meet. */
final class Step {
    private final Program program;

    Step(Program program) {
        this.program = program;
    }

    void execute(Lane lane, Instruction instruction) {
        switch (instruction.opcode()) {
            case BRA -> jump(lane, ((Operand.Symbol) instruction.operand(0)).name());
            case BRX -> {
                String list = ((Operand.Symbol) instruction.operand(1)).name();
                int index = (int) lane.read(instruction.operand(0), Type.U32);
                jump(lane, lane.frame.code.body().targets().get(list).names().get(index));
            }
            case CALL -> call(lane, instruction);
            case RET -> leave(lane);
            case EXIT -> lane.exited = true;
            case LD -> load(lane, instruction);
            case ST -> store(lane, instruction);
            case ATOM, RED -> atomic(lane, instruction);
            case MEMBAR, FENCE, NANOSLEEP -> {}
            case ACTIVEMASK -> // Threads run one by one, so that nobody else is active.
                    lane.write(instruction.operand(0), Type.B32, 1L << lane.lane());
            default -> Arithmetic.execute(lane, instruction);
        }
    }

    private static void jump(Lane lane, String label) {
        lane.frame.next = lane.frame.code.body().labels().get(label);
    }

    private void call(Lane lane, Instruction call) {
        Lane.Frame caller = lane.frame;
        int at = 0;
        while (!(call.operand(at) instanceof Operand.Symbol)) {
            at++;
        }
        Program.Code callee = program.function(((Operand.Symbol) call.operand(at)).name());
        int base = caller.base + caller.code.frameBytes();
        if (at + 1 < call.operands().size()
                && call.operand(at + 1) instanceof Operand.Arguments given) {
            List<Variable> formals = callee.body().function().parameters();
            for (int i = 0; i < formals.size(); i++) {
                Type type = formals.get(i).type();
                long value =
                        given.elements().get(i) instanceof Operand.Symbol symbol
                                ? lane.local.read(lane.read(symbol, Type.U64), type.bytes())
                                : lane.read(given.elements().get(i), type);
                int offset = callee.offsets().get(formals.get(i).name());
                lane.local.write(base + offset, type.bytes(), value);
            }
        }
        lane.frame = new Lane.Frame(callee, base, caller);
    }

    /** Returns to the caller, whose last instruction was the call; the kernel's end is an exit. */
    void leave(Lane lane) {
        Lane.Frame left = lane.frame;
        Lane.Frame caller = left.caller;
        if (caller == null) {
            lane.exited = true;
            return;
        }
        lane.frame = caller;
        Instruction call = caller.code.body().instructions().get(caller.next - 1);
        List<Variable> formals = left.code.body().function().results();
        if (!formals.isEmpty() && call.operand(0) instanceof Operand.Arguments results) {
            for (int i = 0; i < formals.size(); i++) {
                Type type = formals.get(i).type();
                int offset = left.code.offsets().get(formals.get(i).name());
                long value = lane.local.read(left.base + offset, type.bytes());
                if (results.elements().get(i) instanceof Operand.Symbol symbol) {
                    lane.local.write(lane.read(symbol, Type.U64), type.bytes(), value);
                } else {
                    lane.write(results.elements().get(i), type, value);
                }
            }
        }
    }

    private static Memory memory(Lane lane, @Nullable Space space) {
        return switch (space) {
            case GLOBAL -> lane.block.global;
            case SHARED -> lane.block.shared;
            case LOCAL, PARAM -> lane.local;
            case null, default -> throw new IllegalStateException("access to space " + space);
        };
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }

    private static void load(Lane lane, Instruction load) {
        Type type = load.type();
        long address = lane.address(load.operand(1));
        for (Operand each : elements(load.operand(0))) {
            lane.write(each, type, memory(lane, load.space()).read(address, type.bytes()));
            address += type.bytes();
        }
    }

    private static void store(Lane lane, Instruction store) {
        Type type = store.type();
        long address = lane.address(store.operand(0));
        for (Operand each : elements(store.operand(1))) {
            long value = lane.read(each, type);
            memory(lane, store.space()).write(address, type.bytes(), value);
            address += type.bytes();
        }
    }

    private static void atomic(Lane lane, Instruction atomic) {
        Type type = atomic.type();
        int first = atomic.opcode() == Opcode.ATOM ? 1 : 0;
        Memory memory = memory(lane, atomic.space());
        long address = lane.address(atomic.operand(first));
        long old = Lane.fit(memory.read(address, type.bytes()), type);
        long operand = lane.read(atomic.operand(first + 1), type);
        long now;
        if (atomic.has(Modifier.CAS)) {
            now = old == operand ? lane.read(atomic.operand(first + 2), type) : old;
        } else if (atomic.has(Modifier.EXCH)) {
            now = operand;
        } else {
            now = Arithmetic.combine(atomic, type, old, operand);
        }
        memory.write(address, type.bytes(), now);
        if (first == 1) {
            lane.write(atomic.operand(0), type, old);
        }
    }
}
