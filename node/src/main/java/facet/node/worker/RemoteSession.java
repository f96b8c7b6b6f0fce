package facet.node.worker;

import facet.abi.worker.Close;
import facet.abi.worker.Open;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.node.server.HostPlace;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.ring.SessionMemory;
import java.io.IOException;

/** A session that a worker hosts, as the daemon knows it. */
final class RemoteSession implements HostPlace.HostedSession {
    private final SessionOptions options;
    private final Connection connection;
    private final RunningWorker worker;
    private final Runnable atEnd;
    private final Log log;
    private volatile Used used;
    private volatile boolean stopped;

    RemoteSession(
            SessionOptions options,
            int devices,
            Connection connection,
            RunningWorker worker,
            Runnable atEnd,
            Log log) {
        this.options = options;
        this.connection = connection;
        this.worker = worker;
        this.atEnd = atEnd;
        this.log = log;
        used = Used.none(devices);
    }

    /** Hands it to the worker, which has it on its list. */
    void begin(SessionMemory memory) throws IOException {
        int client = -1;
        try {
            client = connection.duplicate();
            worker.link()
                    .send(
                            new Open(
                                    options.id(),
                                    options.program(),
                                    options.pid(),
                                    options.ledgerSlot()),
                            memory.descriptor(),
                            client);
        } catch (IOException e) {
            worker.forget(this);
            throw e;
        } finally {
            if (client >= 0) {
                Descriptors.close(client);
            }
        }
        memory.close();
    }

    void used(Used now) {
        used = now;
    }

    /** The worker says that it has ended. */
    void over(Used last) {
        used = last;
        atEnd.run();
    }

    /** Its worker is gone. */
    void abandon() {
        connection.shutdown();
        atEnd.run();
    }

    @Override
    public SessionOptions options() {
        return options;
    }

    @Override
    public long launches() {
        return used.launches();
    }

    @Override
    public long deviceNanos() {
        return Used.sum(used.nanos());
    }

    @Override
    public long deviceNanos(int device) {
        return used.nanos()[device];
    }

    @Override
    public long memoryUsed() {
        return Used.sum(used.bytes());
    }

    @Override
    public long memoryUsed(int device) {
        return used.bytes()[device];
    }

    @Override
    public void end(String why) {
        try {
            worker.link().send(new Close(options.id(), why));
            worker.isEnding(this);
        } catch (IOException e) {
            // The worker is gone; whoever reads from it does the rest.
            log.debug(options.who(), "its worker: " + e.getMessage());
        }
    }

    /** The worker says that nothing of it runs any more. */
    void stopped() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }
}
