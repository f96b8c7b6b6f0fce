package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * Runs a body on a few threads that join at immediate post dominators, and compares every value
 * read with what {@link Uniformity} claims of it.
 */
final class Lockstep {
    private static final int THREADS = 6;
    private static final int STEPS = 600;

    /** Threads that go on at a block until they reach another one. */
    private record Frame(int block, int until, BitSet threads) {}

    private record Claim(Register register, String where) {}

    private final ControlFlow flow;
    private final Uniformity uniformity;
    private final Dominators postDominators;
    private final int[][] values;
    private int steps;
    int claims;

    Lockstep(ControlFlow flow, RandomGenerator random) {
        this.flow = flow;
        uniformity = Uniformity.of(flow);
        postDominators = flow.postDominators();
        values = new int[THREADS][flow.body().registers().size()];
        // Registers that are read before they are written hold anything.
        for (int[] each : values) {
            for (int i = 0; i < each.length; i++) {
                each[i] = random.nextInt();
            }
        }
    }

    void run(String where) {
        BitSet all = new BitSet();
        all.set(0, THREADS);
        Deque<Frame> stack = new ArrayDeque<>();
        int exit = flow.blocks().size();
        stack.push(new Frame(0, exit, all));
        BitSet gone = new BitSet();
        while (!stack.isEmpty() && steps < STEPS) {
            Frame frame = stack.pop();
            BitSet threads = (BitSet) frame.threads.clone();
            threads.andNot(gone);
            if (threads.isEmpty() || frame.block == frame.until || frame.block == exit) {
                continue;
            }
            block(frame, threads, gone, stack, where);
        }
    }

    private void block(Frame frame, BitSet threads, BitSet gone, Deque<Frame> stack, String where) {
        ControlFlow.Block block = flow.blocks().get(frame.block);
        int exit = flow.blocks().size();
        int[] next = new int[THREADS];
        for (int i = block.start(); i < block.end(); i++) {
            Instruction instruction = flow.body().instructions().get(i);
            for (Register register : DefUse.uses(instruction)) {
                check(new Claim(register, where + " instruction " + i), threads);
            }
            threads.stream()
                    .filter(t -> taken(instruction, t))
                    .forEach(t -> execute(instruction, t));
            steps++;
        }
        Instruction last =
                block.end() > block.start()
                        ? flow.body().instructions().get(block.end() - 1)
                        : null;
        int through = flow.blockOf(block.end());
        threads.stream()
                .forEach(t -> {
                    next[t] = through < 0 ? exit : through;
                    if (last != null && taken(last, t)) {
                        if (last.opcode() == Opcode.RET) {
                            next[t] = exit;
                        } else if (last.opcode() == Opcode.BRA) {
                            String label = ((Operand.Symbol) last.operand(0)).name();
                            int to = flow.blockOf(flow.body().label(label));
                            next[t] = to < 0 ? exit : to;
                        }
                    }
                });
        BitSet left = new BitSet();
        threads.stream().filter(t -> next[t] == exit).forEach(left::set);
        gone.or(left);
        threads.andNot(left);
        go(frame, threads, next, stack);
    }

    private void go(Frame frame, BitSet threads, int[] next, Deque<Frame> stack) {
        int[] targets = threads.stream().map(t -> next[t]).distinct().toArray();
        if (targets.length == 1) {
            stack.push(new Frame(targets[0], frame.until, threads));
        } else if (targets.length > 1) {
            int meet = postDominators.immediate(frame.block);
            stack.push(new Frame(meet, frame.until, (BitSet) threads.clone()));
            for (int target : targets) {
                BitSet some = new BitSet();
                threads.stream().filter(t -> next[t] == target).forEach(some::set);
                stack.push(new Frame(target, meet, some));
            }
        }
    }

    private boolean taken(Instruction instruction, int thread) {
        Instruction.Guard guard = instruction.guard();
        return guard == null || values[thread][guard.predicate().id()] != 0;
    }

    private void check(Claim claim, BitSet threads) {
        Shape shape = uniformity.shapeOf(claim.register);
        int first = threads.nextSetBit(0);
        int id = claim.register.id();
        if (shape instanceof Shape.Varying) {
            return;
        }
        claims++;
        int stride = shape instanceof Shape.Affine affine ? (int) affine.stride() : 0;
        threads.stream()
                .forEach(t ->
                        assertEquals(
                                values[first][id] + stride * (t - first),
                                values[t][id],
                                () -> claim.where + " " + claim.register + " " + shape));
    }

    private void execute(Instruction instruction, int thread) {
        if (!DefUse.hasResult(instruction)) {
            return;
        }
        int a = value(instruction.operand(1), thread);
        int b = instruction.operands().size() > 2 ? value(instruction.operand(2), thread) : 0;
        int result =
                switch (instruction.opcode()) {
                    case MOV -> a;
                    case ADD -> a + b;
                    case SUB -> a - b;
                    case MUL -> a * b;
                    case SHL -> a << b;
                    case AND -> a & b;
                    case SETP -> a < b ? 1 : 0;
                    case SELP -> value(instruction.operand(3), thread) != 0 ? a : b;
                    default -> throw new IllegalStateException(instruction.mnemonic());
                };
        values[thread][((Register) instruction.operand(0)).id()] = result;
    }

    private int value(Operand operand, int thread) {
        return switch (operand) {
            case Register register -> values[thread][register.id()];
            case Operand.IntegerImmediate immediate -> (int) immediate.value();
            // All threads stand in one row and column y is what they differ in without a pattern.
            case Operand.Special special -> special.lane() == 0 ? thread : thread * thread % 5;
            default -> throw new IllegalStateException(operand.toString());
        };
    }
}
