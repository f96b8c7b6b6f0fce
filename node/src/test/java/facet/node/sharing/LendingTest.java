package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.host.lease.LeasedSeats;
import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.Descriptors;
import facet.os.SharedMemoryUnsafe;
import facet.sched.Terms;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Seats that are lent. The workers are devices of this process here: all that they have in common
 * with the daemon is a page and a bell, as if they were elsewhere.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LendingTest {
    private static final int SEATS = 2;

    private final DeviceSharing board = new DeviceSharing(SEATS);
    private final Sharing sharing = new Sharing(List.of(board));
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        sharing.close();
    }

    /** No process has this number: what the threads of this one do is not to be audited. */
    private static final int NOBODY = Integer.MAX_VALUE;

    /** A worker with a slice, and a program in it. */
    private final class Remote {
        private final SliceShare share;
        private final Lease lease;
        private final Program program;

        Remote(Terms terms) throws IOException {
            share = sharing.joinRemote(terms, List.of(0));
            open.add(share);
            lease = share.lendTo(NOBODY, () -> {});
            open.add(lease);
            int[] descriptors = lease.descriptors();
            SharedMemoryUnsafe memory =
                    SharedMemoryUnsafe.attach(Descriptors.duplicate(descriptors[0]));
            // Both stay open: threads of the device look at them for a moment after it is closed.
            Bell bell = Bell.attach(Descriptors.duplicate(descriptors[1]));
            Device device =
                    CpuDevice.create(
                            CpuDevice.profile("Test GPU", 1L << 30, SEATS),
                            SEATS,
                            new LeasedSeats(SeatPage.of(memory.segment(), 0, SEATS), bell));
            open.add(device);
            program = new Program(device);
        }
    }

    @Test
    void oneAloneRuns() throws IOException {
        Remote one = new Remote(Terms.REST);
        for (int i = 0; i < 200; i++) {
            one.program.launch(3, 100);
            one.program.check("alone, round " + i);
        }
        assertTrue(one.share.deviceNanos() > 0, "nothing was charged");
    }

    @Test
    void resultsAreRightBesideOthersHereAndElsewhere() throws IOException {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed)");
        SplittableRandom random = new SplittableRandom(seed);
        Device own = CpuDevice.create(CpuDevice.profile("Test GPU", 1L << 30, SEATS), SEATS, board);
        open.add(own);
        List<Program> programs = new ArrayList<>();
        List<SliceShare> shares = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Remote remote = new Remote(Loop.anyTerms(random));
            programs.add(remote.program);
            shares.add(remote.share);
            SliceShare share = sharing.join(Loop.anyTerms(random), List.of(0), Optional.empty());
            open.add(share);
            shares.add(share);
            programs.add(new Program(share.on(List.of(own)).getFirst()));
        }
        for (int step = 0; step < 120; step++) {
            int which = random.nextInt(programs.size());
            Program program = programs.get(which);
            switch (random.nextInt(8)) {
                case 0 -> shares.get(which).change(Loop.anyTerms(random));
                case 1 -> {
                    program.context.pause();
                    program.launch(1, 1000);
                    program.context.resume();
                }
                case 2 -> program.check("program " + which);
                default -> program.launch(1 + random.nextInt(8), 1 + random.nextInt(200_000));
            }
        }
        for (int i = 0; i < programs.size(); i++) {
            programs.get(i).check("program " + i + " at the end");
            programs.get(i).context.close();
        }
    }

    @Test
    void aProcessThatKeepsItsSeatsLosesThemAndIsReplaced() throws Exception {
        CountDownLatch replaced = new CountDownLatch(1);
        SliceShare hostile = sharing.joinRemote(Terms.burst(10), List.of(0));
        open.add(hostile);
        Lease lease = hostile.lendTo(NOBODY, replaced::countDown);
        SharedMemoryUnsafe memory =
                SharedMemoryUnsafe.attach(Descriptors.duplicate(lease.descriptors()[0]));
        open.add(memory);
        Bell bell = Bell.attach(Descriptors.duplicate(lease.descriptors()[1]));
        open.add(bell);
        // It wants all seats, says to be busy on them and never gives one back.
        MemorySegment page = memory.segment();
        page.set(ValueLayout.JAVA_INT, 0, 1_000_000);
        bell.ring();
        for (int seat = 0; seat < SEATS; seat++) {
            long state = 64 + 64L * seat;
            while (page.get(ValueLayout.JAVA_INT, state) != SeatPage.LENT) {
                Thread.onSpinWait();
            }
            page.set(ValueLayout.JAVA_INT, state, SeatPage.BUSY);
        }
        Remote neighbour = new Remote(Terms.fixed(50));
        for (int i = 0; i < 20; i++) {
            neighbour.program.launch(2, 10_000);
            neighbour.program.check("beside one that keeps seats");
        }
        assertTrue(replaced.await(60, TimeUnit.SECONDS), "it was not replaced");
        assertTrue(hostile.deviceNanos() > Duration.ofMillis(500).toNanos(), "it paid nothing");
        lease.close();
        neighbour.program.launch(2, 10_000);
        neighbour.program.check("after it");
    }

    @Test
    void whateverAPageSaysOthersGoOn() throws Exception {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed)");
        SplittableRandom random = new SplittableRandom(seed);
        SliceShare hostile = sharing.joinRemote(Terms.REST, List.of(0));
        open.add(hostile);
        Lease lease = hostile.lendTo(NOBODY, () -> {});
        SharedMemoryUnsafe memory =
                SharedMemoryUnsafe.attach(Descriptors.duplicate(lease.descriptors()[0]));
        open.add(memory);
        Bell bell = Bell.attach(Descriptors.duplicate(lease.descriptors()[1]));
        open.add(bell);
        Remote neighbour = new Remote(Terms.burst(40));
        Thread writer =
                Thread.ofPlatform()
                        .start(() -> {
                            MemorySegment page = memory.segment();
                            while (!Thread.interrupted()) {
                                long at = random.nextLong(page.byteSize() / 8) * 8;
                                page.set(
                                        ValueLayout.JAVA_LONG,
                                        at,
                                        random.nextBoolean()
                                                ? random.nextLong()
                                                : random.nextLong(4));
                                bell.ring();
                                Thread.onSpinWait();
                            }
                        });
        for (int i = 0; i < 100; i++) {
            neighbour.program.launch(2, 50_000);
            neighbour.program.check("beside a page that says anything");
        }
        writer.interrupt();
        writer.join();
        lease.close();
        assertFalse(writer.isAlive());
    }

    @Test
    void processorTimeThatWasNotLentIsCharged() throws Exception {
        SliceShare share = sharing.joinRemote(Terms.burst(10), List.of(0));
        open.add(share);
        // The process is this one, which has no seat and is busy.
        try (Lease lease = share.lendTo((int) ProcessHandle.current().pid(), () -> {})) {
            while (share.deviceNanos() < 50_000_000) {
                Thread.onSpinWait();
            }
            assertEquals(2, lease.descriptors().length);
        }
    }

    @Test
    void aWorkerThatEndsLeavesItsSeats() throws Exception {
        SliceShare share = sharing.joinRemote(Terms.REST, List.of(0));
        open.add(share);
        for (int i = 0; i < 5; i++) {
            Lease lease = share.lendTo(NOBODY, () -> {});
            SharedMemoryUnsafe memory =
                    SharedMemoryUnsafe.attach(Descriptors.duplicate(lease.descriptors()[0]));
            Bell bell = Bell.attach(Descriptors.duplicate(lease.descriptors()[1]));
            memory.segment().set(ValueLayout.JAVA_INT, 0, SEATS);
            bell.ring();
            while (memory.segment().get(ValueLayout.JAVA_INT, 64) != SeatPage.LENT) {
                Thread.onSpinWait();
            }
            lease.close();
            memory.close();
            bell.close();
        }
        Remote next = new Remote(Terms.REST);
        next.program.launch(2, 1000);
        next.program.check("after five that died");
    }
}
