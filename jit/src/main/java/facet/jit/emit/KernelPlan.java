package facet.jit.emit;

import facet.jit.pass.Effects;
import facet.jit.pass.Kinds;
import facet.jit.pass.Regions;
import facet.jit.pass.Regions.Region;
import facet.jit.pass.Sections;
import facet.jit.pass.Synchronization;
import facet.jit.pass.WarpOrder;
import facet.jit.runtime.Site;
import facet.ptx.flow.Body;
import facet.ptx.flow.ControlFlow;
import facet.ptx.flow.Liveness;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is known of a kernel while its regions are emitted; sites and slots grow on the way. */
final class KernelPlan {
    private final Program program;
    private final Body body;
    private final Kinds kinds;
    private final Liveness liveness;
    private final Frame frame;
    private final Slots slots;
    private final List<Region> regions;
    private final List<Site> sites = new ArrayList<>();
    private final Map<Site, Integer> siteNumbers = new HashMap<>();
    private final Map<Integer, Integer> regionAt = new HashMap<>();
    private final BitSet spinHeads;
    private final BitSet clockHeads;
    private @Nullable Sections sections;
    private final boolean plain;
    private final BitSet labelled = new BitSet();
    private final boolean inStep;

    KernelPlan(Program program, Body body, List<Region> regions) {
        this.program = program;
        this.body = body;
        this.regions = regions;
        kinds = Kinds.infer(body);
        liveness = Liveness.of(ControlFlow.of(body));
        frame = Frame.ofKernel(body);
        slots = new Slots(kinds);
        spinHeads = Regions.spinHeads(body);
        clockHeads = Regions.clockHeads(body);
        regions.forEach(region -> regionAt.put(region.entry(), region.number()));
        body.labels().values().forEach(labelled::set);
        inStep = !WarpOrder.cuts(body).isEmpty();
        plain =
                regions.size() == 1
                        && spinHeads.isEmpty()
                        && body.instructions().stream().noneMatch(Synchronization::isMeeting);
    }

    Program program() {
        return program;
    }

    Body body() {
        return body;
    }

    Kinds kinds() {
        return kinds;
    }

    Liveness liveness() {
        return liveness;
    }

    Frame frame() {
        return frame;
    }

    Slots slots() {
        return slots;
    }

    List<Region> regions() {
        return regions;
    }

    /** Only vector code asks for them. */
    Sections sections() {
        Sections known = sections;
        if (known == null) {
            known = Sections.of(body);
            sections = known;
        }
        return known;
    }

    BitSet spinHeads() {
        return spinHeads;
    }

    /** Those of {@link #spinHeads} where threads wait for nothing but a moment to come. */
    BitSet clockHeads() {
        return clockHeads;
    }

    /** Whether lanes of a warp keep step somewhere. */
    boolean inStep() {
        return inStep;
    }

    /** Regions that may change memory. */
    BitSet storing() {
        BitSet storing = new BitSet();
        for (Region region : regions) {
            boolean stores =
                    region.pieces().stream()
                            .flatMap(run -> body.instructions().subList(run[0], run[1]).stream())
                            .anyMatch(Effects::changesMemory);
            storing.set(region.number(), stores);
        }
        return storing;
    }

    /** Whether the kernel is one region in which nobody waits: threads have no state. */
    boolean isPlain() {
        return plain;
    }

    /** Whether a label stands before the instruction. */
    boolean isBranchedTo(int instruction) {
        return labelled.get(instruction);
    }

    int regionAt(int instruction) {
        return Objects.requireNonNull(regionAt.get(instruction));
    }

    /**
     * Number of a site. A meeting is one site wherever it is emitted, for one thread or for a row,
     * so that threads which came by different code meet.
     */
    int addSite(Site site) {
        return siteNumbers.computeIfAbsent(
                site,
                key -> {
                    sites.add(key);
                    return sites.size() - 1;
                });
    }

    List<Site> sites() {
        return List.copyOf(sites);
    }
}
