package facet.node.server;

import facet.host.session.SessionOptions;
import facet.node.sharing.ProgramLease;

/**
 * A session of a program with the vendor's driver in it. What it does on the devices its lease
 * tells; the host answers what it asks for besides.
 */
final class DirectSession implements HostPlace.HostedSession {
    private final HostPlace.HostedSession host;
    private final ProgramLease lease;

    DirectSession(HostPlace.HostedSession host, ProgramLease lease) {
        this.host = host;
        this.lease = lease;
    }

    @Override
    public SessionOptions options() {
        return host.options();
    }

    @Override
    public long launches() {
        return lease.launches();
    }

    @Override
    public long deviceNanos() {
        return lease.deviceNanos();
    }

    @Override
    public long deviceNanos(int device) {
        return lease.deviceNanos(device);
    }

    @Override
    public long memoryUsed() {
        return host.memoryUsed();
    }

    @Override
    public long memoryUsed(int device) {
        return host.memoryUsed(device);
    }

    /** Others have the devices at once, however long it takes until nothing is left of it. */
    @Override
    public void end(String why) {
        lease.close();
        host.end(why);
    }
}
