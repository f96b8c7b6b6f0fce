package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores to shared memory before which all threads of a block are to have come, though no barrier
 * says so:
 *
 * <pre>
 *   x = s[t - 1];  …  s[t] = y;  __syncthreads();
 * </pre>
 *
 * Threads that do one instruction at a time have all read before any of them writes. Here threads
 * run one after the other, so that each would read what the one before it has written just now. So
 * a region ends before such a store. Nothing is needed where a thread reads what a later one has:
 * that one has not written yet. And nothing where a barrier lies between load and store, as
 * programs that rely on barriers alone have it.
 */
public final class Neighbours {
    /** Elements between the two, at most: farther away another warp has it. */
    private static final int FARTHEST = 31;

    private final Body body;
    private final List<Instruction> instructions;
    private final BitSet cuts = new BitSet();

    private Neighbours(Body body) {
        this.body = body;
        this.instructions = body.instructions();
    }

    /** The stores. */
    public static BitSet cuts(Body body) {
        Neighbours pass = new Neighbours(body);
        Map<Register, List<Integer>> accesses = pass.byRegister();
        if (!accesses.isEmpty()) {
            LaneShapes shapes = LaneShapes.of(body);
            accesses.forEach((base, at) -> {
                if (shapes.of(base) instanceof Shape.Affine affine && affine.stride() != 0) {
                    pass.look(at, affine.stride());
                }
            });
        }
        if (!pass.cuts.isEmpty()) {
            pass.cuts.andNot(WarpOrder.carried(body.instructions()));
        }
        return pass.cuts.cardinality() > WarpOrder.MOST ? new BitSet() : pass.cuts;
    }

    /**
     * Plain accesses to shared memory by registers that go to several places, some of them stores.
     */
    private Map<Register, List<Integer>> byRegister() {
        Map<Register, List<Integer>> accesses = new HashMap<>();
        for (int i = 0; i < instructions.size(); i++) {
            Register base = Exchanges.address(instructions.get(i));
            if (base != null && !instructions.get(i).has(Modifier.VOLATILE)) {
                accesses.computeIfAbsent(base, each -> new ArrayList<>()).add(i);
            }
        }
        accesses.values()
                .removeIf(at ->
                        at.stream().noneMatch(this::isStore)
                                || at.stream().mapToLong(this::offset).distinct().count() < 2);
        if (!accesses.isEmpty()) {
            int[] writes = new int[body.registers().size()];
            for (Instruction instruction : instructions) {
                DefUse.definitions(instruction).forEach(register -> writes[register.id()]++);
            }
            accesses.keySet().removeIf(base -> writes[base.id()] != 1);
        }
        return accesses;
    }

    private void look(List<Integer> accesses, long stride) {
        accesses.stream()
                .filter(this::isStore)
                .map(this::offset)
                .distinct()
                .forEach(own -> {
                    BitSet stores = new BitSet();
                    BitSet loads = new BitSet();
                    for (int i : accesses) {
                        if (isStore(i)) {
                            stores.set(i, offset(i) == own);
                        } else {
                            loads.set(i, isBefore(own - offset(i), stride));
                        }
                    }
                    if (!loads.isEmpty()) {
                        flow(loads, stores);
                    }
                });
    }

    /** Whether what is read is an element that a thread a little before this one has. */
    private static boolean isBefore(long distance, long stride) {
        return distance % stride == 0 && distance / stride >= 1 && distance / stride <= FARTHEST;
    }

    /** Notes the stores that a thread comes to from one of the loads without meeting others. */
    private void flow(BitSet loads, BitSet stores) {
        BitSet seen = new BitSet();
        BitSet open = (BitSet) loads.clone();
        for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(0)) {
            open.clear(i);
            if (seen.get(i)) {
                continue;
            }
            seen.set(i);
            Work.step();
            Instruction instruction = instructions.get(i);
            if (stores.get(i)) {
                cuts.set(i);
                continue;
            }
            if (Synchronization.isMeeting(instruction)) {
                continue;
            }
            for (int target : Synchronization.targets(body, instruction)) {
                open.set(target);
            }
            if (Effects.fallsThrough(instruction) && i + 1 < instructions.size()) {
                open.set(i + 1);
            }
        }
    }

    private boolean isStore(int i) {
        return instructions.get(i).opcode() == Opcode.ST;
    }

    private long offset(int i) {
        return ((Operand.Address) instructions.get(i).operand(isStore(i) ? 0 : 1)).offset();
    }
}
