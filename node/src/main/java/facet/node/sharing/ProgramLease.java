package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.Bells;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of devices that a program with the vendor's driver in it may be lent; until closed. What
 * the program does on its processors is its own; what it does on a device without having it is
 * charged by what it says, and it has it longer than it may only at its own expense.
 */
public final class ProgramLease implements Broker.Customer, AutoCloseable {
    private final Broker broker;
    private final SharedMemoryUnsafe memory;
    private final Bell bell;
    private final Ringing ringing;
    private final List<Loan> loans = new ArrayList<>();
    private long audited;
    private long launches;
    private boolean closed;

    /** On one of the devices. */
    private record Loan(DeviceSharing device, Borrower borrower) {}

    ProgramLease(Broker broker, List<DeviceSharing> devices, List<DeviceSharing.Member> members)
            throws IOException {
        this.broker = broker;
        memory = SharedMemoryUnsafe.create("facet-time", devices.size() * SeatPage.bytes(1));
        try {
            bell = broker.bell();
        } catch (IOException e) {
            memory.close();
            throw e;
        }
        ringing = new Ringing(bell);
        long now = System.nanoTime();
        for (int i = 0; i < devices.size(); i++) {
            SeatPage page = SeatPage.of(memory.segment(), i, 1);
            page.format();
            page.hear(now);
            loans.add(new Loan(devices.get(i), devices.get(i).lendToProgram(members.get(i), page)));
        }
        broker.add(this);
    }

    /** What the program needs: the pages, the bell. They stay ours. */
    public int[] descriptors() throws IOException {
        return new int[] {memory.descriptor(), bell.descriptor()};
    }

    /** Device time that the program had of one of the slice's devices, in nanoseconds. */
    public long deviceNanos(int device) {
        Loan loan = loans.get(device);
        return loan.device().charged(loan.borrower());
    }

    /** The same of all devices. */
    public long deviceNanos() {
        long sum = 0;
        for (int i = 0; i < loans.size(); i++) {
            sum += deviceNanos(i);
        }
        return sum;
    }

    /** What it says to have launched; believed by nobody but people. */
    public synchronized long launches() {
        if (!closed) {
            launches = 0;
            for (Loan each : loans) {
                long told = Math.max(0, each.borrower().page().launches());
                launches = told > Long.MAX_VALUE - launches ? Long.MAX_VALUE : launches + told;
            }
        }
        return launches;
    }

    @Override
    public Ringing ringing() {
        return ringing;
    }

    @Override
    public boolean audit(Bells bells) throws IOException {
        boolean busy = ringing.hearAgain(bells);
        long use = 0;
        for (int i = 0; i < loans.size(); i++) {
            use += deviceNanos(i);
            busy |= loans.get(i).borrower().page().state(0) == SeatPage.BUSY;
        }
        busy |= use != audited;
        audited = use;
        return busy;
    }

    /** The program has ended. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        long _ = launches(); // the last word
        closed = true;
        broker.remove(this);
        loans.forEach(each -> each.device().endLending(each.borrower()));
        memory.close();
    }
}
