package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.flow.Body;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Where the lanes of a warp keep step though no instruction asks for it. Older programs exchange
 * values through volatile shared memory and rely on a warp doing one instruction at a time:
 *
 * <pre>
 *   volatile float *s = …;  s[t] += s[t + 16];  s[t] += s[t + 8];  …
 * </pre>
 *
 * A thread that ran ahead alone would read sums that are not there yet, or overwrite one that
 * another lane has still to read. So a region ends between two accesses of which one is volatile
 * and one a store: all lanes that come this way have done the first before any does the second.
 * Lanes that took another way are waited for where the ways join, since a warp runs the region that
 * comes first in the text. Some accesses that are not volatile count as if they were ({@link
 * Exchanges}, {@link Handovers}). Kernels without any of these have no such cuts.
 */
public final class WarpOrder {
    /** Beyond this many cuts a class would have too many methods; then there are none. */
    static final int MOST = 4_000;

    private static final int LOAD = 1;
    private static final int STORE = 2;
    private static final int VOLATILE_LOAD = 4;
    private static final int VOLATILE_STORE = 8;
    private static final int STORES = STORE | VOLATILE_STORE;
    private static final int VOLATILES = VOLATILE_LOAD | VOLATILE_STORE;

    private final Body body;
    private final List<Instruction> instructions;

    /** Whether an address without a space may be one of shared memory. */
    private final boolean generic;

    /** Accesses that a thread may have done since the last meeting or cut; -1 where none comes. */
    private final byte[] since;

    /** Plain accesses that count as volatile ones. */
    private final BitSet exchanges;

    private final LoopExits exits;
    private final BitSet carried;
    private final BitSet cuts = new BitSet();

    private WarpOrder(Body body, BitSet exchanges) {
        this.body = body;
        this.exchanges = exchanges;
        this.instructions = body.instructions();
        this.generic = instructions.stream().anyMatch(WarpOrder::makesGeneric);
        this.since = new byte[instructions.size()];
        this.exits = new LoopExits(body, this::access);
        this.carried = carried(instructions);
    }

    /** Instructions before which the lanes that are together wait for each other. */
    public static BitSet cuts(Body body) {
        BitSet exchanges = Exchanges.find(body);
        exchanges.or(Handovers.find(body));
        if (exchanges.isEmpty() && !mayKeepStep(body)) {
            return new BitSet();
        }
        WarpOrder pass = new WarpOrder(body, exchanges);
        pass.flow();
        return pass.cuts.cardinality() > MOST ? new BitSet() : pass.cuts;
    }

    /** Whether the function stores to volatile memory that may be shared. */
    static boolean mayKeepStep(Body body) {
        return body.instructions().stream()
                .anyMatch(each -> (access(each, true) & VOLATILE_STORE) != 0);
    }

    private void flow() {
        Arrays.fill(since, (byte) -1);
        BitSet open = new BitSet();
        come(0, 0, open);
        for (int i = open.nextSetBit(0); i >= 0; i = next(open, i)) {
            open.clear(i);
            Instruction instruction = instructions.get(i);
            int own = access(i);
            int after = since[i] | own;
            if (conflict(since[i], own) && !carried.get(i)) {
                cuts.set(i);
                after = own;
            }
            if (Synchronization.isMeeting(instruction)) {
                after = 0;
            }
            for (int target : Synchronization.targets(body, instruction)) {
                come(target, after | exits.left(i, target), open);
            }
            if (Effects.fallsThrough(instruction)) {
                come(i + 1, after | exits.left(i, i + 1), open);
            }
        }
    }

    /** The next instruction to look at; the first one again when there is none behind. */
    private static int next(BitSet open, int i) {
        int next = open.nextSetBit(i);
        return next >= 0 ? next : open.nextSetBit(0);
    }

    private void come(int i, int accesses, BitSet open) {
        if (i < since.length && (since[i] < 0 || (since[i] | accesses) != since[i])) {
            since[i] = (byte) (Math.max(since[i], 0) | accesses);
            open.set(i);
        }
    }

    /** Two accesses that a volatile store, or a store and a volatile load, are among. */
    private static boolean conflict(int before, int own) {
        boolean stores = (own & STORES) != 0;
        if ((own & VOLATILES) != 0) {
            return stores ? before != 0 : (before & STORES) != 0;
        }
        return own != 0 && (before & (stores ? VOLATILES : VOLATILE_STORE)) != 0;
    }

    private int access(int i) {
        int own = access(instructions.get(i), generic);
        boolean plain = (own & VOLATILES) == 0;
        return exchanges.get(i) && plain ? own << 2 : own; // LOAD becomes VOLATILE_LOAD
    }

    private static int access(Instruction instruction, boolean generic) {
        boolean shared = instruction.space() == null ? generic : instruction.space().isShared();
        if (!shared) {
            return 0;
        }
        boolean kept = instruction.has(Modifier.VOLATILE);
        boolean known = instruction.space() != null;
        return switch (instruction.opcode()) {
            case LD -> kept ? VOLATILE_LOAD : known ? LOAD : 0;
            case ST -> kept ? VOLATILE_STORE : known ? STORE : 0;
            case ATOM, RED -> known ? LOAD | STORE : 0;
            default -> 0;
        };
    }

    private static boolean makesGeneric(Instruction instruction) {
        return instruction.opcode() == Opcode.CVTA
                && instruction.space() != null
                && instruction.space().isShared();
    }

    /** Before which instructions the carry flag is needed, which no region keeps. */
    static BitSet carried(List<Instruction> instructions) {
        BitSet carried = new BitSet();
        boolean needed = false;
        for (int i = instructions.size() - 1; i >= 0; i--) {
            Instruction instruction = instructions.get(i);
            needed =
                    switch (instruction.opcode()) {
                        case ADDC, SUBC, MADC -> true;
                        default -> needed && !instruction.has(Modifier.CC);
                    };
            carried.set(i, needed);
        }
        return carried;
    }
}
