package facet.node.server;

import facet.device.Device;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.residency.Residency;
import facet.host.session.PageAudit;
import facet.host.session.SessionHost;
import facet.host.session.SessionOptions;
import facet.host.session.SessionResidency;
import facet.log.Log;
import facet.node.sharing.SliceShare;
import facet.os.Connection;
import facet.ring.SessionMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sessions as threads of this process. For devices whose faults stay in their context. */
public final class InDaemon implements HostPlace {
    private final List<Device> devices;
    private final List<Ledger> ledgers;
    private final Tally tally = new Tally();
    private final SessionResidency residency;
    private final Log log;
    private final Set<SessionHost> hosts = ConcurrentHashMap.newKeySet();
    private final @Nullable SliceShare share;
    private final PageAudit audit;
    private volatile int priority;
    private boolean closed;

    /**
     * @param residencies what is on each of the devices
     * @param share what the slice has of the devices' time, closed at the end; null: no sharing
     * @param priority memory of slices with a lower one leaves a device first
     */
    public InDaemon(
            List<Device> devices,
            List<Residency> residencies,
            LedgerMemory ledger,
            @Nullable SliceShare share,
            int priority,
            Log log) {
        this.devices = share == null ? List.copyOf(devices) : share.on(devices);
        this.share = share;
        this.priority = priority;
        this.residency = new SessionResidency(residencies, () -> this.priority);
        this.ledgers = Ledger.ofAll(ledger);
        this.log = log.limited();
        this.audit = new PageAudit(ledger, () -> hosts);
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public HostedSession open(
            SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
            throws IOException {
        Hosted hosted = new Hosted(options, memory, connection, atEnd);
        synchronized (hosts) {
            if (closed) {
                throw new IOException("its slice has ended");
            }
            hosts.add(hosted.host);
        }
        try {
            hosted.host.start();
        } catch (OutOfMemoryError e) {
            hosts.remove(hosted.host);
            throw e;
        }
        audit.wake();
        return hosted;
    }

    @Override
    public void change(Slice slice) {
        Ledger.limit(ledgers, slice.memory());
        if (share != null) {
            share.change(slice.terms());
        }
        priority = slice.terms().priority();
    }

    @Override
    public OptionalLong deviceNanos(int device) {
        return share == null ? OptionalLong.empty() : OptionalLong.of(share.deviceNanos(device));
    }

    @Override
    public Optional<SliceShare> share() {
        return Optional.ofNullable(share);
    }

    @Override
    public OptionalLong waitNanos() {
        return share == null ? OptionalLong.empty() : OptionalLong.of(share.waitNanos());
    }

    @Override
    public OptionalLong memoryResident() {
        return OptionalLong.of(hosts.stream().mapToLong(SessionHost::memoryResident).sum());
    }

    private final class Hosted implements HostedSession {
        private final SessionHost host;

        Hosted(
                SessionOptions options,
                SessionMemory memory,
                Connection connection,
                Runnable atEnd) {
            host =
                    new SessionHost(
                            options,
                            memory,
                            connection,
                            ledgers,
                            tally,
                            devices,
                            residency,
                            log,
                            () -> {
                                hosts.remove(host());
                                atEnd.run();
                            });
        }

        private SessionHost host() {
            return host;
        }

        @Override
        public SessionOptions options() {
            return host.options();
        }

        @Override
        public long launches() {
            return host.usage().launches();
        }

        @Override
        public long deviceNanos() {
            return host.usage().deviceNanos();
        }

        @Override
        public long deviceNanos(int device) {
            return host.usage().deviceNanos(device);
        }

        @Override
        public long memoryUsed() {
            return host.memoryUsed();
        }

        @Override
        public long memoryUsed(int device) {
            return host.memoryUsed(device);
        }

        @Override
        public void end(String why) {
            host.end(why);
        }
    }

    @Override
    public void close() {
        audit.close();
        synchronized (hosts) {
            closed = true;
        }
        hosts.forEach(each -> each.end("its slice has ended"));
        for (SessionHost each : hosts) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (share != null) {
            share.close();
        }
    }
}
