package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.pass.Kinds;
import facet.jit.runtime.ThreadExit;
import facet.ptx.Extent;
import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import facet.ptx.flow.ControlFlow;
import facet.ptx.flow.Liveness;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The method of a device function: {@code (block, thread, frame)}. No thread waits inside it. */
final class FunctionUnit extends Unit {
    private static final int THREAD_SLOT = 1;
    private static final int FRAME_SLOT = 2;
    private static final ClassDesc EXIT = ClassDesc.of(ThreadExit.class.getName());

    /** Bytes that are copied in the time of an instruction. */
    private static final long BYTES_COPIED = 8;

    private static final long MOST_COST = 1 << 20;

    private final Map<Integer, Label> labels = new HashMap<>();
    private final Dispatch dispatch;
    private int stack = -1;

    FunctionUnit(CodeBuilder code, Program program, Body body) {
        super(code, program, body, Kinds.infer(body), Frame.ofFunction(body));
        this.dispatch = new Dispatch(this);
    }

    @Override
    int threadSlot() {
        return THREAD_SLOT;
    }

    @Override
    void pushFrame() {
        code.iload(FRAME_SLOT).i2l();
    }

    @Override
    boolean isKernel() {
        return false;
    }

    void emit() {
        Label prologue = code.newLabel();
        Label start = code.newLabel();
        code.goto_(prologue).labelBinding(start);
        code.aload(BLOCK_SLOT).iload(FRAME_SLOT).loadConstant(frame.size());
        code.invokestatic(
                Calls.BUILTINS, "checkStack", MethodTypeDesc.of(CD_void, BLOCK, CD_int, CD_int));
        poll(cost());
        if (Stacks.moves(body)) {
            stack = code.allocateLocal(TypeKind.INT);
            new Stacks(this).pushCaller();
            code.istore(stack);
        }
        begin();
        body.labels()
                .values()
                .forEach(index -> labels.computeIfAbsent(index, i -> code.newLabel()));
        List<Instruction> instructions = body.instructions();
        boolean reachable = true;
        for (int i = 0; i < instructions.size(); i++) {
            if (labels.containsKey(i)) {
                code.labelBinding(labels.get(i));
                reachable = true;
            }
            if (reachable) {
                emit(instructions.get(i), i);
                reachable = instructions.get(i).guard() != null || !ends(instructions.get(i));
            }
        }
        if (labels.containsKey(instructions.size())) {
            code.labelBinding(labels.get(instructions.size()));
            reachable = true;
        }
        if (reachable) {
            leave();
        }
        code.labelBinding(prologue);
        invariants.emit();
        code.goto_(start);
    }

    private static boolean ends(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BRA, BRX, RET, EXIT, TRAP, BRKPT -> true;
            default -> false;
        };
    }

    /**
     * Registers that some path reads before writing are zero; {@code .reg} parameters are loaded.
     */
    private void begin() {
        if (!body.instructions().isEmpty()) {
            BitSet live = Liveness.of(ControlFlow.of(body)).liveBefore(0);
            for (int id = live.nextSetBit(0); id >= 0; id = live.nextSetBit(id + 1)) {
                Register register = body.registers().get(id);
                for (int lane = 0; lane < lanes(register); lane++) {
                    values.pushZero(kinds.of(register));
                    storeRaw(register, lane);
                }
            }
        }
        for (Variable parameter : body.function().parameters()) {
            if (parameter.space() == Space.REG) {
                registerOf(parameter)
                        .ifPresent(register -> {
                            new Memory(this).load(access(Opcode.LD, parameter, register));
                        });
            }
        }
    }

    private java.util.Optional<Register> registerOf(Variable variable) {
        return body.registers().stream()
                .filter(each -> each.name().equals(variable.name()))
                .findFirst();
    }

    private Instruction access(Opcode opcode, Variable variable, Register register) {
        Operand address = new Operand.Address(new Operand.Symbol(variable.name(), 0), 0);
        return new Instruction(
                variable.position(),
                null,
                opcode,
                List.of(Space.PARAM, variable.type()),
                opcode == Opcode.LD ? List.of(register, address) : List.of(address, register));
    }

    private void leave() {
        for (Variable result : body.function().results()) {
            if (result.space() == Space.REG) {
                registerOf(result)
                        .ifPresent(register ->
                                new Memory(this).store(access(Opcode.ST, result, register)));
            }
        }
        if (stack >= 0) {
            code.aload(BLOCK_SLOT).iload(THREAD_SLOT).iload(stack);
            new Stacks(this).restore();
        }
        code.return_();
    }

    private void emit(Instruction instruction, int index) {
        switch (instruction.opcode()) {
            case BRA -> {
                int to = body.label(((Operand.Symbol) instruction.operand(0)).name());
                dispatch.guarded(instruction, () -> jump(index, to));
            }
            case BRX -> dispatch.guarded(instruction, () -> jumpByIndex(instruction, index));
            case RET -> dispatch.guarded(instruction, this::leave);
            case EXIT ->
                    dispatch.guarded(
                            instruction,
                            () ->
                                    code.invokestatic(
                                                    Calls.BUILTINS,
                                                    "exitThread",
                                                    MethodTypeDesc.of(EXIT))
                                            .athrow());
            default -> dispatch.emit(instruction);
        }
    }

    @Override
    void jump(int from, int to) {
        if (to <= from) {
            poll(from - to + 1);
        }
        code.goto_(labels.get(to));
    }

    /** What a call of the function counts: its instructions, and its arguments that are copied. */
    private int cost() {
        long bytes = 0;
        for (Variable each : body.function().parameters()) {
            bytes = Extent.sum(bytes, each.bytes());
        }
        for (Variable each : body.function().results()) {
            bytes = Extent.sum(bytes, each.bytes());
        }
        long copies = bytes / BYTES_COPIED;
        return (int) Math.min(Extent.sum(1 + body.instructions().size(), copies), MOST_COST);
    }

    private void poll(int cost) {
        Label go = code.newLabel();
        int left = code.allocateLocal(TypeKind.INT);
        code.aload(BLOCK_SLOT).getfield(BLOCK, "budget", CD_int).loadConstant(cost).isub();
        code.istore(left).aload(BLOCK_SLOT).iload(left).putfield(BLOCK, "budget", CD_int);
        code.iload(left).ifge(go);
        code.aload(BLOCK_SLOT).dup();
        code.invokevirtual(BLOCK, "pollDeep", MethodTypeDesc.of(CD_int));
        code.putfield(BLOCK, "budget", CD_int).labelBinding(go);
    }
}
