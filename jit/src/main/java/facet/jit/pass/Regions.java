package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A kernel cut into regions: what a thread can run from an entry until it meets others, exits, or
 * leaves for another region. Each region becomes one JVM method, so none may be long; code between
 * two entries may be part of several regions.
 *
 * <p>Entries are: the start; what follows a meeting of threads; where lanes of a warp keep step
 * ({@link WarpOrder}); the heads of loops that may spin, where a thread can give way but usually
 * goes on; and cuts that keep methods short.
 */
public final class Regions {
    /** Estimated bytecodes of a method; the JVM does not compile above 8,000. */
    public static final int DEFAULT_LIMIT = 5_000;

    /** Pieces are taken out one by one until regions of so many pieces in all were collected. */
    private static final long PATIENCE = 200_000;

    /** How often pieces may be repeated in the mean before a round is given up. */
    private static final int MOST_REPEATED = 6;

    /** A straight run of instructions {@code [start, end)} and the pieces it may go on with. */
    record Piece(int start, int end, int cost, int[] successors) {}

    /**
     * @param entry index of the first instruction
     * @param pieces start → end of the runs of instructions, by start
     */
    public record Region(int number, int entry, List<int[]> pieces) {}

    private final Body body;
    private final int limit;
    private final List<Instruction> instructions;
    private List<Piece> pieces = List.of();
    private int[] pieceAt = new int[0];

    /** Entries, as pieces, at which a region ends; and those that flow passes. */
    private final BitSet hard = new BitSet();

    private final BitSet soft = new BitSet();
    private BitSet reachable = new BitSet();
    private final Map<Integer, Long> loopCosts = new HashMap<>();

    /** Cost of all pieces, each once. */
    private long own;

    private Regions(Body body, int limit) {
        this.body = body;
        this.limit = limit;
        this.instructions = body.instructions();
    }

    /** The regions of a kernel; region 0 is where threads start. */
    public static List<Region> split(Body body, int limit) {
        return split(body, limit, new BitSet());
    }

    /**
     * @param more instructions at which a thread may be sent into scalar code, though flow passes
     *     them
     */
    public static List<Region> split(Body body, int limit, BitSet more) {
        Regions pass = new Regions(body, limit);
        pass.cut(more);
        return pass.build();
    }

    /** Heads of loops in which threads only wait for a moment to come. */
    public static BitSet clockHeads(Body body) {
        return ClockLoops.heads(body);
    }

    /** Heads of loops that may wait: for another thread, or for a moment to come. */
    public static BitSet spinHeads(Body body) {
        BitSet heads = clockHeads(body);
        Observations observations = new Observations(body);
        for (int i = 0; i < body.instructions().size(); i++) {
            for (int target : Synchronization.targets(body, body.instructions().get(i))) {
                if (target <= i && observations.maySpin(target, i)) {
                    heads.set(target);
                }
            }
        }
        return heads;
    }

    private void cut(BitSet more) {
        int size = instructions.size();
        TreeSet<Integer> starts = new TreeSet<>();
        BitSet hardStarts = WarpOrder.cuts(body);
        hardStarts.or(Neighbours.cuts(body));
        hardStarts.stream().forEach(starts::add);
        BitSet softStarts = spinHeads(body);
        softStarts.or(more);
        more.stream().forEach(starts::add);
        starts.add(0);
        hardStarts.set(0);
        for (int i = 0; i < size; i++) {
            Instruction instruction = instructions.get(i);
            for (int target : Synchronization.targets(body, instruction)) {
                starts.add(target);
            }
            if (i + 1 < size && ends(instruction)) {
                starts.add(i + 1);
            }
            if (i + 1 < size && Synchronization.isMeeting(instruction)) {
                starts.add(i + 1);
                hardStarts.set(i + 1);
            }
        }
        cutLongRuns(starts, hardStarts);
        Integer[] order = starts.toArray(Integer[]::new);
        pieceAt = new int[size];
        for (int p = 0; p < order.length; p++) {
            int end = p + 1 < order.length ? order[p + 1] : size;
            Arrays.fill(pieceAt, order[p], end, p);
            if (hardStarts.get(order[p])) {
                hard.set(p);
            }
            if (softStarts.get(order[p])) {
                soft.set(p);
            }
        }
        pieces = new ArrayList<>();
        for (int p = 0; p < order.length; p++) {
            int end = p + 1 < order.length ? order[p + 1] : size;
            int cost = 0;
            for (int i = order[p]; i < end; i++) {
                cost += cost(instructions.get(i));
            }
            pieces.add(new Piece(order[p], end, cost, successors(end - 1)));
        }
        reachable = reach();
        long[] costBefore = new long[pieces.size() + 1];
        for (int p = 0; p < pieces.size(); p++) {
            costBefore[p + 1] = costBefore[p] + pieces.get(p).cost();
        }
        own = costBefore[pieces.size()];
        for (int i = 0; i < size; i++) {
            for (int target : Synchronization.targets(body, instructions.get(i))) {
                if (target <= i) {
                    long loop = costBefore[pieceAt[i] + 1] - costBefore[pieceAt[target]];
                    loopCosts.merge(pieceAt[target], loop, Math::max);
                }
            }
        }
    }

    private BitSet reach() {
        BitSet seen = new BitSet();
        List<Integer> open = new ArrayList<>(List.of(0));
        while (!open.isEmpty()) {
            int p = open.removeLast();
            if (!seen.get(p)) {
                seen.set(p);
                Arrays.stream(pieces.get(p).successors()).forEach(open::add);
            }
        }
        return seen;
    }

    /** Cuts runs without labels that are too long for one method, but not inside a carry chain. */
    private void cutLongRuns(Set<Integer> starts, BitSet hardStarts) {
        int cost = 0;
        for (int i = 0; i < instructions.size(); i++) {
            if (starts.contains(i)) {
                cost = 0;
            }
            cost += cost(instructions.get(i));
            boolean carries =
                    switch (instructions.get(i).opcode()) {
                        case ADDC, SUBC, MADC -> true;
                        default -> false;
                    };
            if (cost > limit && !carries && i > 0) {
                starts.add(i);
                hardStarts.set(i);
                cost = cost(instructions.get(i));
            }
        }
    }

    private static boolean ends(Instruction instruction) {
        return switch (instruction.opcode()) {
            case BRA, BRX, RET, EXIT, TRAP, BRKPT -> true;
            default -> false;
        };
    }

    private int[] successors(int last) {
        Instruction instruction = instructions.get(last);
        boolean falls = instruction.guard() != null;
        int[] targets = Synchronization.targets(body, instruction);
        for (int i = 0; i < targets.length; i++) {
            targets[i] = pieceAt[targets[i]];
        }
        if (!ends(instruction)) {
            falls = true;
        }
        if (falls && last + 1 < instructions.size()) {
            targets = Arrays.copyOf(targets, targets.length + 1);
            targets[targets.length - 1] = pieceAt[last + 1];
        }
        return targets;
    }

    /** Bytecodes that the instruction will take, roughly. */
    private static int cost(Instruction instruction) {
        int own =
                switch (instruction.opcode()) {
                    case LD, ST, LDU -> 12 + 10 * Math.max(1, instruction.operands().size() - 1);
                    case ATOM, RED -> 30;
                    case TEX, TLD4, SULD, SUST, SURED -> 40;
                    case CALL -> 80;
                    case SETP, SET -> 20;
                    case CVT -> 12;
                    default -> Synchronization.isMeeting(instruction) ? 40 : 12;
                };
        if (instruction.has(facet.ptx.Modifier.V4) || instruction.has(facet.ptx.Modifier.V8)) {
            own += 30;
        }
        return own + (instruction.guard() != null ? 5 : 0);
    }

    /**
     * Collects regions until no new entry turns up and pieces are not repeated too often. Each
     * round makes one more piece an entry, as long as that is cheap; then all that are repeated, so
     * that a text of many entries is done in a few rounds.
     */
    private List<Region> build() {
        long collected = 0;
        while (true) {
            boolean patient = collected < PATIENCE;
            SortedMap<Integer, List<Integer>> members = new TreeMap<>();
            int before = hard.cardinality();
            long total = 0;
            BitSet open = (BitSet) hard.clone();
            open.or(soft);
            open.and(reachable);
            for (int p = open.nextSetBit(0); p >= 0; p = open.nextSetBit(p + 1)) {
                List<Integer> region = collect(p, open);
                members.put(p, region);
                collected += region.size();
                for (int each : region) {
                    total += pieces.get(each).cost();
                }
                if (!patient && total > MOST_REPEATED * own + limit) {
                    break;
                }
            }
            boolean settled = hard.cardinality() == before;
            if (total > 3 * own + limit
                    && (settled || !patient)
                    && separate(members.values(), patient)) {
                continue;
            }
            if (settled) {
                return finish(members);
            }
        }
    }

    /**
     * Makes the piece that most regions repeat an entry of its own, or all that more than two
     * repeat; false when none is repeated.
     */
    private boolean separate(Collection<List<Integer>> members, boolean one) {
        int[] counts = new int[pieces.size()];
        members.forEach(region -> region.forEach(p -> counts[p]++));
        int best = -1;
        int most = 1;
        boolean any = false;
        for (int p = 0; p < counts.length; p++) {
            if (hard.get(p)) {
                continue;
            }
            if (!one && counts[p] > 2) {
                hard.set(p);
                any = true;
            }
            if (counts[p] > most) {
                most = counts[p];
                best = p;
            }
        }
        if (!any && best >= 0) {
            hard.set(best);
            any = true;
        }
        return any;
    }

    /** The pieces of the region that begins here; what it is cut at joins the open entries. */
    private List<Integer> collect(int entry, BitSet openEntries) {
        Set<Integer> region = new TreeSet<>();
        PriorityQueue<Integer> open = new PriorityQueue<>();
        open.add(entry);
        int cost = 0;
        while (!open.isEmpty()) {
            Work.steps(4);
            int p = open.poll();
            if (region.contains(p)) {
                continue;
            }
            Piece piece = pieces.get(p);
            if (p != entry) {
                long loop = loopCosts.getOrDefault(p, 0L);
                boolean splitsLoop = loop <= limit && cost + loop > limit;
                if (hard.get(p)) {
                    continue;
                }
                if (cost + piece.cost() > limit || splitsLoop) {
                    hard.set(p);
                    openEntries.set(p);
                    continue;
                }
            }
            region.add(p);
            cost += piece.cost();
            if (Synchronization.isMeeting(instructions.get(piece.end() - 1))) {
                continue;
            }
            for (int successor : piece.successors()) {
                Work.step();
                open.add(successor);
            }
        }
        return List.copyOf(region);
    }

    private List<Region> finish(SortedMap<Integer, List<Integer>> members) {
        List<Region> regions = new ArrayList<>();
        members.forEach((entry, region) -> {
            List<int[]> runs =
                    region.stream()
                            .map(p -> new int[] {pieces.get(p).start(), pieces.get(p).end()})
                            .toList();
            regions.add(new Region(regions.size(), pieces.get(entry).start(), runs));
        });
        return regions;
    }
}
