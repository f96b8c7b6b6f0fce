package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.flow.Body;
import facet.ptx.flow.DefUse;
import facet.ptx.flow.Shape;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Accesses to shared memory that are not volatile and still only make sense when lanes of a warp
 * keep step. Only what a thread alone has hardly a reason for, in a run without jumps and meetings,
 * where {@code a} goes by the number of the thread and {@code b} another way:
 *
 * <pre>
 *   st [a], x;  ld y, [b];  …  st [a], z;     a sum by steps, each with another lane:  s[t] += s[t ^ 8]
 *   ld x, [a];  …  st [c], x;                 where c was itself read from shared memory:  s[to[t]] = s[t]
 * </pre>
 */
final class Exchanges {
    private final Body body;
    private final List<Instruction> instructions;
    private final BitSet starts;
    private final BitSet found = new BitSet();

    /** Of the current run: the last store by each address register, the load of each value. */
    private final Map<Register, Integer> stores = new HashMap<>();

    private final Map<Register, Integer> loads = new HashMap<>();
    private int lastLoad = -1;
    private @Nullable BitSet read;
    private @Nullable LaneShapes shapes;

    private Exchanges(Body body) {
        this.body = body;
        instructions = body.instructions();
        starts = new BitSet();
        body.labels().values().forEach(starts::set);
    }

    /** The loads and stores that take part. */
    static BitSet find(Body body) {
        Exchanges pass = new Exchanges(body);
        for (int i = 0; i < pass.instructions.size(); i++) {
            pass.look(i, pass.instructions.get(i));
        }
        return pass.found;
    }

    private void look(int i, Instruction instruction) {
        boolean ends = Synchronization.isMeeting(instruction) || !Effects.fallsThrough(instruction);
        if (starts.get(i) || ends || instruction.opcode() == Opcode.BRA) {
            stores.clear();
            loads.clear();
            lastLoad = -1;
        }
        Register address = address(instruction);
        if (address != null && instruction.opcode() == Opcode.ST) {
            sumBySteps(i, address);
            permutation(i, instruction, address);
        }
        for (Register register : DefUse.definitions(instruction)) {
            stores.remove(register);
            loads.remove(register);
        }
        if (address != null && instruction.opcode() == Opcode.ST) {
            stores.put(address, i);
        } else if (address != null) {
            lastLoad = i;
            DefUse.definitions(instruction).forEach(register -> loads.put(register, i));
        }
    }

    /** Stored before by this register, and meanwhile somebody else's was read. */
    private void sumBySteps(int i, Register address) {
        Integer before = stores.get(address);
        if (before == null || lastLoad < before) {
            return;
        }
        Register other = address(instructions.get(lastLoad));
        if (other != null
                && !address.equals(other)
                && shapes().of(other).isVarying()
                && shapes().of(address) instanceof Shape.Affine) {
            found.set(before);
            found.set(lastLoad);
            found.set(i);
        }
    }

    /** To a place that was read from shared memory goes what was read by another register. */
    private void permutation(int i, Instruction store, Register address) {
        if (!(store.operand(1) instanceof Register value)) {
            return;
        }
        Integer load = loads.get(value);
        if (load != null
                && !address.equals(address(instructions.get(load)))
                && read().get(address.id())) {
            found.set(load);
            found.set(i);
        }
    }

    /** Made when asked for. */
    private LaneShapes shapes() {
        LaneShapes known = shapes;
        if (known == null) {
            known = LaneShapes.of(body);
            shapes = known;
        }
        return known;
    }

    /** Registers that were computed from what was read from shared memory; made when asked for. */
    private BitSet read() {
        BitSet known = read;
        if (known == null) {
            known = new BitSet();
            for (Instruction instruction : instructions) {
                boolean loads = instruction.opcode() == Opcode.LD;
                boolean from = loads ? address(instruction) != null : uses(instruction, known);
                if (from) {
                    for (Register register : DefUse.definitions(instruction)) {
                        known.set(register.id());
                    }
                }
            }
            read = known;
        }
        return known;
    }

    private static boolean uses(Instruction instruction, BitSet registers) {
        return DefUse.uses(instruction).stream().anyMatch(each -> registers.get(each.id()));
    }

    /** The register that a plain load or store goes to shared memory by; null for all else. */
    static @Nullable Register address(Instruction instruction) {
        boolean access =
                (instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ST)
                        && instruction.space() != null
                        && instruction.space().isShared();
        return access
                        && instruction.operand(instruction.opcode() == Opcode.LD ? 1 : 0)
                                instanceof Operand.Address place
                        && place.base() instanceof Register register
                ? register
                : null;
    }
}
