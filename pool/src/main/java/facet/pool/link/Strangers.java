package facet.pool.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Connections of which nobody knows yet who made them. There are few of them at once, each has
 * little time, and an address from which many come that turn out to be none of ours has to wait: so
 * an outsider costs little, and takes room from others at its own address alone.
 */
final class Strangers {
    /** At once. */
    private static final int MOST = 64;

    /** Of an address that has failed so often within a second nobody is heard any more. */
    private static final int MOST_FAILURES = 32;

    private static final long SECOND = 1_000_000_000L;

    /** Addresses that are remembered. */
    private static final int MOST_ADDRESSES = 4096;

    private final long handshakeNanos;
    private final Map<Socket, Long> pending = new LinkedHashMap<>();
    private final LinkedHashMap<InetAddress, ArrayDeque<Long>> failures =
            new LinkedHashMap<>(16, 0.75f, true);
    private long turnedAway;

    Strangers(long handshakeNanos) {
        this.handshakeNanos = handshakeNanos;
    }

    /** False when it is not to be heard at all; it is closed then. */
    synchronized boolean admit(Socket socket, long now) {
        ArrayDeque<Long> failed = failures.get(socket.getInetAddress());
        if (failed != null && failed.size() >= MOST_FAILURES && now - failed.getFirst() < SECOND) {
            turnedAway++;
            close(socket);
            return false;
        }
        if (pending.size() >= MOST) {
            dropOldestOf(busiest());
        }
        pending.put(socket, now);
        return true;
    }

    private InetAddress busiest() {
        Map<InetAddress, Integer> counts = new HashMap<>();
        InetAddress most = pending.keySet().iterator().next().getInetAddress();
        for (Socket each : pending.keySet()) {
            InetAddress address = each.getInetAddress();
            if (counts.merge(address, 1, Integer::sum) > counts.getOrDefault(most, 0)) {
                most = address;
            }
        }
        return most;
    }

    private void dropOldestOf(InetAddress address) {
        for (Iterator<Socket> each = pending.keySet().iterator(); each.hasNext(); ) {
            Socket socket = each.next();
            if (socket.getInetAddress().equals(address)) {
                each.remove();
                turnedAway++;
                close(socket);
                return;
            }
        }
    }

    /** It is a member. */
    synchronized void known(Socket socket) {
        pending.remove(socket);
    }

    /** It is none, or did not say so in time. */
    synchronized void failed(Socket socket, long now) {
        pending.remove(socket);
        ArrayDeque<Long> failed =
                failures.computeIfAbsent(socket.getInetAddress(), _ -> new ArrayDeque<>());
        failed.addLast(now);
        if (failed.size() > MOST_FAILURES) {
            failed.removeFirst();
        }
        if (failures.size() > MOST_ADDRESSES) {
            failures.pollFirstEntry();
        }
        close(socket);
    }

    /** Closes those whose time is over. */
    synchronized void expire(long now) {
        for (Map.Entry<Socket, Long> each : pending.entrySet()) {
            if (now - each.getValue() > handshakeNanos) {
                close(each.getKey()); // whoever reads it notices
            }
        }
    }

    synchronized int count() {
        return pending.size();
    }

    /** How many were not heard to the end. */
    synchronized long turnedAway() {
        return turnedAway;
    }

    synchronized void closeAll() {
        pending.keySet().forEach(Strangers::close);
        pending.clear();
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            assert socket.isClosed(); // nothing is left to do about it
        }
    }
}
