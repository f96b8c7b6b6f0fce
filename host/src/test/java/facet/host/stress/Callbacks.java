package facet.host.stress;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import facet.abi.CallbackRecordLayout;
import facet.abi.RecordHeaderLayout;
import facet.ring.MalformedRecord;
import facet.ring.RingWriter;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Tells that host functions are due, in the order in which they came. */
final class Callbacks {
    private static final short CALLBACK = 1;

    /**
     * The first ones go out one by one, each to a client that sleeps. Later the client may wait for
     * us to sleep, and then only one of the two can.
     */
    private static final int SINGLY = 32;

    private final RingWriter writer;
    private final Shared shared;
    private final BlockingQueue<Long> tokens = new LinkedBlockingQueue<>();
    private final Set<Long> due = new HashSet<>();
    private volatile boolean mixed;
    private long told;

    Callbacks(RingWriter writer, Shared shared) {
        this.writer = writer;
        this.shared = shared;
    }

    void add(long token) {
        tokens.add(token);
    }

    /** From here on the client waits for nobody. */
    void mixed() {
        mixed = true;
    }

    /** Each is done once, and not before it was due. */
    synchronized void done(long token) {
        if (!due.remove(token)) {
            throw new AssertionError("host function " + token + " was not due");
        }
    }

    /** Of those that are due. */
    synchronized int left() {
        return due.size() + tokens.size();
    }

    synchronized long told() {
        return told;
    }

    /** The work of its thread. */
    void run(Random random) throws InterruptedException, MalformedRecord {
        MemorySegment record = MemorySegment.ofArray(new long[CallbackRecordLayout.BYTES / 8]);
        record.set(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET, CallbackRecordLayout.BYTES);
        record.set(JAVA_SHORT, RecordHeaderLayout.TYPE_OFFSET, CALLBACK);
        for (long sequence = 1; ; sequence++) {
            long token = tokens.take();
            if (sequence <= SINGLY || mixed && random.nextInt(64) == 0) {
                Shared.await(shared.callbacks::readerSleeps);
            }
            record.set(JAVA_LONG, RecordHeaderLayout.SEQUENCE_OFFSET, sequence);
            record.set(JAVA_LONG, CallbackRecordLayout.TOKEN_OFFSET, token);
            synchronized (this) {
                due.add(token);
                told++;
            }
            if (!writer.offer(record, Long.MAX_VALUE)) {
                throw new InterruptedException();
            }
        }
    }
}
