package facet.device.cpu.random;

import facet.device.Launch.Dim;
import facet.ptx.Operand;

import java.util.ArrayList;
import java.util.List;

/** A block of threads with its shared memory. */
final class ThreadBlock {
    final Memory shared;
    final Memory global;
    final List<Lane> lanes = new ArrayList<>();

    /** Threads that came to a barrier by {@code bar.arrive}, by number of the barrier. */
    final int[] arrived = new int[16];

    private final Dim grid;
    private final Dim block;
    private final int number;

    ThreadBlock(
            Program program, Program.Code kernel, Dim grid, Dim block, int number, Memory global) {
        this.shared = new Memory(program.sharedBytes());
        this.global = global;
        this.grid = grid;
        this.block = block;
        this.number = number;
        for (int i = 0; i < block.count(); i++) {
            lanes.add(new Lane(this, i, kernel));
        }
    }

    int living() {
        int count = 0;
        for (Lane each : lanes) {
            count += each.exited ? 0 : 1;
        }
        return count;
    }

    List<Lane> warpOf(Lane lane) {
        int first = lane.number & ~31;
        return lanes.subList(first, Math.min(first + 32, lanes.size()));
    }

    long special(Operand.Special special, int thread) {
        int lane = thread & 31;
        return switch (special.register()) {
            case TID -> index(thread, block, special.lane());
            case NTID -> size(block, special.lane());
            case CTAID -> index(number, grid, special.lane());
            case NCTAID -> size(grid, special.lane());
            case LANEID -> lane;
            case WARPID -> thread >>> 5;
            case LANEMASK_EQ -> 1L << lane;
            case LANEMASK_LT -> (1L << lane) - 1;
            case LANEMASK_LE -> (2L << lane) - 1;
            case LANEMASK_GT -> 0xffff_ffffL & -(2L << lane);
            case LANEMASK_GE -> 0xffff_ffffL & -(1L << lane);
            default -> throw new IllegalStateException("register " + special.register());
        };
    }

    private static long index(int number, Dim dim, int component) {
        return switch (component) {
            case 0 -> number % dim.x();
            case 1 -> number / dim.x() % dim.y();
            default -> number / dim.x() / dim.y();
        };
    }

    private static long size(Dim dim, int component) {
        return switch (component) {
            case 0 -> dim.x();
            case 1 -> dim.y();
            default -> dim.z();
        };
    }
}
