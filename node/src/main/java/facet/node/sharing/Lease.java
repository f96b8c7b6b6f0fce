package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.Bells;
import facet.os.OwnTime;
import facet.os.ProcessState;
import facet.os.ProcessorTimeUnsafe;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The seats that one worker process may be lent, on all devices of its slice; until closed. */
public final class Lease implements Broker.Customer, AutoCloseable {
    /**
     * Part of a core that a worker has for what is not work on a seat: reading commands, tidying.
     */
    private static final double HOUSEKEEPING = 0.2;

    /** Part of a core that a JVM uses for itself. */
    private static final double IDLE = 0.05;

    /** A worker that has not given a seat back by then is replaced. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /**
     * So much of that is saved up, and there from the beginning: a program that begins has its code
     * compiled, which is no reason to make it wait for its seats.
     */
    private static final double MOST_SAVED = 0.1e9;

    private final Broker broker;
    private final SharedMemoryUnsafe memory;
    private final Bell bell;
    private final int process;
    private final Runnable replace;
    private final List<Loan> loans = new ArrayList<>();
    private final Ringing ringing;
    private OwnTime overstay = new OwnTime();
    private boolean replaced;
    private boolean closed;
    private long auditedAt = System.nanoTime();
    private long auditedTime;
    private long auditedUse;
    private double saved = MOST_SAVED;

    /** On one of the devices. */
    private record Loan(DeviceSharing device, Borrower borrower) {}

    /**
     * @param replace what to do when the process keeps seats that it was to give back; any thread
     */
    Lease(
            Broker broker,
            List<DeviceSharing> devices,
            List<DeviceSharing.Member> members,
            int process,
            Runnable replace)
            throws IOException {
        this.broker = broker;
        this.process = process;
        this.replace = replace;
        int seats = devices.getFirst().seats();
        memory = SharedMemoryUnsafe.create("facet-seats", devices.size() * SeatPage.bytes(seats));
        try {
            bell = broker.bell();
        } catch (IOException e) {
            memory.close();
            throw e;
        }
        ringing = new Ringing(bell);
        for (int i = 0; i < devices.size(); i++) {
            SeatPage page = SeatPage.of(memory.segment(), i, seats);
            page.format();
            loans.add(new Loan(devices.get(i), devices.get(i).lendTo(members.get(i), page)));
        }
        auditedTime = ProcessorTimeUnsafe.of(process).orElse(0);
        auditedUse = used();
        broker.add(this);
    }

    /** What the worker needs: the pages, the bell. They stay ours. */
    public int[] descriptors() throws IOException {
        return new int[] {memory.descriptor(), bell.descriptor()};
    }

    @Override
    public Ringing ringing() {
        return ringing;
    }

    // ---- only the broker's thread

    /**
     * Charges processor time that went beyond what was lent, and replaces a process that keeps
     * seats. Compiling is such time, and so is whatever a process does that breaks its rules.
     *
     * @return whether it did more since the last time than a process does that has nothing to do
     */
    @Override
    public boolean audit(Bells bells) throws IOException {
        boolean busy = ringing.hearAgain(bells);
        long now = System.nanoTime();
        if (!loans.getFirst().device().isOnProcessors()) {
            // A launch goes on to its end, and what the process does besides takes no device time.
            long use = used();
            busy |= use != auditedUse;
            auditedUse = use;
            return busy;
        }
        OptionalLong time = ProcessorTimeUnsafe.of(process);
        checkOverstay(now - auditedAt, time.orElse(auditedTime) - auditedTime);
        long use = used();
        busy |= use != auditedUse;
        if (time.isPresent()) {
            busy |= time.getAsLong() - auditedTime > IDLE * (now - auditedAt);
            long more = time.getAsLong() - auditedTime - (use - auditedUse);
            saved = Math.min(saved + HOUSEKEEPING * (now - auditedAt), MOST_SAVED);
            saved -= Math.max(0, more);
            if (saved < 0) {
                long due = (long) -saved;
                Loan first = loans.getFirst();
                first.device().bill(first.borrower().member(), due);
                use += due;
                saved = 0;
            }
            auditedTime = time.getAsLong();
        }
        auditedAt = now;
        auditedUse = use;
        return busy;
    }

    /** By its own time: one that others keep from the processors cannot give anything back. */
    private void checkOverstay(long elapsed, long processor) {
        if (loans.stream().noneMatch(each -> each.device().overstays(each.borrower()))) {
            overstay = new OwnTime();
            return;
        }
        // One that runs is not looked at closer: this is the thread that hands out seats.
        boolean ready = processor > elapsed / 2 || ProcessState.of(process).ready();
        overstay.add(elapsed, processor, ready);
        if (overstay.isOver(LONGEST) && !replaced) {
            replaced = true;
            replace.run();
        }
    }

    private long used() {
        return loans.stream().mapToLong(e -> e.device().used(e.borrower().member())).sum();
    }

    /** The process has ended, or has nothing to do any more. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        broker.remove(this);
        loans.forEach(each -> each.device().endLending(each.borrower()));
        memory.close();
    }
}
