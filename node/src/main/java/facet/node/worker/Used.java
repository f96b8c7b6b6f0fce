package facet.node.worker;

import facet.abi.worker.MalformedMessage;
import facet.abi.worker.SessionUse;
import facet.host.session.SessionHost;
import java.util.Arrays;

/**
 * What a session of a worker has used.
 *
 * @param nanos device time, by device
 * @param bytes of device memory, by device
 */
record Used(long launches, long[] nanos, long[] bytes) {
    static Used none(int devices) {
        return new Used(0, new long[devices], new long[devices]);
    }

    /** As a worker measures it. */
    static SessionUse of(SessionHost host, int devices) {
        long[] nanos = new long[devices];
        long[] bytes = new long[devices];
        for (int i = 0; i < devices; i++) {
            nanos[i] = Math.max(0, host.usage().deviceNanos(i));
            bytes[i] = Math.max(0, host.memoryUsed(i));
        }
        return new SessionUse(host.options().id(), host.usage().launches(), nanos, bytes);
    }

    /** Of a session that never began. */
    static SessionUse nothing(int session, int devices) {
        return new SessionUse(session, 0, new long[devices], new long[devices]);
    }

    /**
     * As the daemon hears it.
     *
     * @param devices how many there must be: a worker runs strangers' code
     */
    static Used of(SessionUse told, int devices) throws MalformedMessage {
        if (told.nanos().length != devices || told.bytes().length != devices) {
            throw new MalformedMessage(
                    "it tells of "
                            + told.nanos().length
                            + " and "
                            + told.bytes().length
                            + " devices where it has "
                            + devices);
        }
        return new Used(told.launches(), told.nanos(), told.bytes());
    }

    /** It has ended and given its memory back. */
    Used withoutMemory() {
        return new Used(launches, nanos, new long[bytes.length]);
    }

    static long sum(long[] numbers) {
        return Arrays.stream(numbers).sum();
    }
}
