package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.sched.Calendar;
import facet.sched.Policy;
import facet.sched.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The board at work on a software GPU. Figures are for the benchmark; here results count. */
@Timeout(300)
final class SharingTest {
    private final DeviceSharing board = new DeviceSharing(2);
    private final Sharing sharing = new Sharing(List.of(board));
    private final Device device =
            CpuDevice.create(CpuDevice.profile("Test GPU", 1L << 30, 2), 2, board);

    @AfterEach
    void close() {
        device.close();
        sharing.close();
    }

    /** A program with a slice. */
    private static final class Tenant extends Program {
        private final SliceShare share;

        Tenant(SliceShare share, Device device) {
            super(share.on(List.of(device)).getFirst());
            this.share = share;
        }

        void close() {
            context.close();
            share.close();
        }
    }

    private Tenant tenant(Terms terms) {
        return new Tenant(sharing.join(terms, List.of(0), Optional.empty()), device);
    }

    @Test
    void resultsAreRightWhateverTheTermsAndTheirChanges() {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed)");
        SplittableRandom random = new SplittableRandom(seed);
        List<Tenant> programs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            programs.add(tenant(Loop.anyTerms(random)));
        }
        for (int step = 0; step < 60; step++) {
            Tenant program = programs.get(random.nextInt(programs.size()));
            switch (random.nextInt(8)) {
                case 0 -> program.share.change(Loop.anyTerms(random));
                case 1 -> {
                    program.context.pause();
                    program.launch(1, 1000);
                    program.context.resume();
                }
                case 2 -> program.check("seed " + seed + ", step " + step);
                case 3 -> {
                    program.context.stop();
                    program.close();
                    programs.remove(program);
                    programs.add(tenant(Loop.anyTerms(random)));
                }
                default -> program.launch(1 + random.nextInt(6), 1L << 10 + random.nextInt(13));
            }
        }
        // Nobody who is behind everybody else is to be waited for first.
        programs.forEach(each -> each.share.change(Terms.REST));
        programs.forEach(each -> each.check("seed " + seed));
        programs.forEach(Tenant::close);
    }

    @Test
    void aLongBlockMakesRoomAndGoesOn() {
        Tenant low = tenant(Terms.priority(0));
        Tenant high = tenant(Terms.priority(1));
        low.launch(2, 400_000_000);
        for (int i = 0; i < 20; i++) {
            high.launch(4, 1000);
            high.check("high " + i);
        }
        assertTrue(!low.stream.isIdle(), "low is still at it while high was served twenty times");
        low.check("low");
        low.close();
        high.close();
    }

    @Test
    void aFixedShareIsKeptAndTold() {
        Tenant program = tenant(Terms.fixed(20));
        long start = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            program.launch(2, 2_000_000);
        }
        program.check("fixed");
        double share = program.share.deviceNanos() / 2.0 / (System.nanoTime() - start);
        assertTrue(share < 0.25, "it had " + share);
        assertTrue(program.share.waitNanos() > 0);
        program.close();
    }

    @Test
    void aConfinedSliceSeesAndUsesItsMultiprocessors() {
        Terms one = new Terms(Policy.BURST, 0, 0, Terms.DEFAULT_TURN, Calendar.EMPTY, 1);
        Tenant program = tenant(one);
        assertEquals(1, program.share.on(List.of(device)).getFirst().profile().multiprocessors());
        long start = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            program.launch(8, 2_000_000);
        }
        program.check("confined");
        double seats = program.share.deviceNanos() / (double) (System.nanoTime() - start);
        assertTrue(seats < 1.05, "it used " + seats + " seats");
        program.close();
    }

    @Test
    void aSliceWhoseKernelNeverEndsCanBeEnded() {
        Tenant endless = tenant(Terms.fixed(5));
        endless.launch(2, Long.MAX_VALUE);
        Tenant other = tenant(Terms.REST);
        other.launch(4, 10_000);
        other.check("beside an endless kernel");
        endless.context.stop();
        endless.close();
        other.launch(4, 10_000);
        other.check("afterwards");
        other.close();
    }
}
