package facet.device.cpu.random;

import facet.device.Launch.Dim;
import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Variable;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs a kernel one instruction of one thread at a time. All blocks are there from the start; which
 * thread goes on, and for how long, is drawn from a seed, so that a result that depends on the
 * order shows when the seed is changed.
 *
 * <p>Covers the instructions that {@link KernelGenerator} and the kernels of {@link
 * RandomKernelCasesTest} contain; others throw.
 */
final class Interpreter {
    private static final long MOST_STEPS = 100_000_000;

    private final Program program;
    private final SplittableRandom random;
    private final Step step;
    private final Meeting meeting = new Meeting();
    private final List<Lane> runnable = new ArrayList<>();
    private long steps;

    private Interpreter(Module module, long seed) {
        this.program = new Program(module);
        this.random = new SplittableRandom(seed);
        this.step = new Step(program);
    }

    /**
     * @param arguments of the kernel's parameters, in order, each a scalar
     * @throws IllegalStateException when threads wait for ever or an access is out of bounds
     */
    static void run(
            Module module,
            String kernel,
            Dim grid,
            Dim block,
            List<Long> arguments,
            Memory global,
            long seed) {
        new Interpreter(module, seed).run(kernel, grid, block, arguments, global);
    }

    private void run(String name, Dim grid, Dim block, List<Long> arguments, Memory global) {
        Program.Code kernel = program.function(name);
        List<ThreadBlock> blocks = new ArrayList<>();
        for (int i = 0; i < grid.count(); i++) {
            ThreadBlock each = new ThreadBlock(program, kernel, grid, block, i, global);
            each.lanes.forEach(lane -> pass(lane, arguments));
            runnable.addAll(each.lanes);
            blocks.add(each);
        }
        while (!runnable.isEmpty()) {
            int index = random.nextInt(runnable.size());
            Lane lane = runnable.get(index);
            runAWhile(lane);
            if (!lane.runs()) {
                runnable.set(index, runnable.getLast());
                runnable.removeLast();
                meeting.settle(lane, runnable);
            }
        }
        for (ThreadBlock each : blocks) {
            for (Lane lane : each.lanes) {
                if (!lane.exited) {
                    throw new IllegalStateException(
                            "thread " + lane.number + " waits for ever at " + where(lane));
                }
            }
        }
    }

    private static void pass(Lane lane, List<Long> arguments) {
        List<Variable> parameters = lane.frame.code.body().function().parameters();
        for (int i = 0; i < parameters.size(); i++) {
            Variable parameter = parameters.get(i);
            int offset = lane.frame.code.offsets().get(parameter.name());
            lane.local.write(offset, parameter.type().bytes(), arguments.get(i));
        }
    }

    /** Often a few instructions, sometimes many; a thread that goes back may be waiting. */
    private void runAWhile(Lane lane) {
        int burst = 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 10);
        for (int i = 0; i < burst && lane.runs(); i++) {
            int before = lane.frame.next;
            step(lane);
            if (lane.frame.next <= before) {
                return;
            }
        }
    }

    private void step(Lane lane) {
        if (++steps > MOST_STEPS) {
            throw new IllegalStateException("no end; a thread is at " + where(lane));
        }
        List<Instruction> instructions = lane.frame.code.body().instructions();
        if (lane.frame.next >= instructions.size()) {
            step.leave(lane);
            return;
        }
        Instruction instruction = instructions.get(lane.frame.next++);
        if (!lane.holds(instruction.guard())) {
            return;
        }
        if (Meeting.isMeeting(instruction)) {
            lane.waiting = instruction;
        } else {
            step.execute(lane, instruction);
        }
    }

    private static String where(Lane lane) {
        Instruction waiting = lane.waiting;
        int line =
                waiting != null
                        ? waiting.position().line()
                        : lane.frame
                                .code
                                .body()
                                .instructions()
                                .get(Math.max(0, lane.frame.next - 1))
                                .position()
                                .line();
        return "line " + line + (waiting != null ? ", " + waiting.mnemonic() : "");
    }
}
