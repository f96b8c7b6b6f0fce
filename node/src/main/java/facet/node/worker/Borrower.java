package facet.node.worker;

import facet.abi.worker.Lend;
import facet.host.residency.RemoteRoom;
import facet.log.Log;
import facet.log.Who;
import java.io.IOException;
import java.util.function.IntSupplier;

/** A worker as one that has room on a device. */
final class Borrower implements RemoteRoom.Borrower {
    private final Tenure tenure;
    private final int device;
    private final IntSupplier priority;
    private final Log log;

    /**
     * @param device which of the slice's
     * @param priority of the slice; takes no lock
     */
    Borrower(Tenure tenure, int device, IntSupplier priority, Log log) {
        this.tenure = tenure;
        this.device = device;
        this.priority = priority;
        this.log = log;
    }

    @Override
    public String slice() {
        return tenure.slice();
    }

    @Override
    public int priority() {
        return priority.getAsInt();
    }

    @Override
    public boolean lend(long number, long bytes, long lacking, boolean own) {
        try {
            return tenure.trySend(new Lend(device, number, bytes, lacking, own));
        } catch (IOException e) {
            // It is gone, and whoever reads from it gives back what it had.
            log.debug(Who.slice(slice()), "its worker: " + e.getMessage());
            return true;
        }
    }

    @Override
    public void kill(String why) {
        tenure.kill(Who.slice(slice()), "its worker " + why + ", and is killed");
    }
}
