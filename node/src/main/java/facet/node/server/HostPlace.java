package facet.node.server;

import facet.host.ledger.Tally;
import facet.host.session.SessionOptions;
import facet.node.sharing.SliceShare;
import facet.os.Connection;
import facet.ring.SessionMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Where the sessions of a slice are executed. */
public interface HostPlace extends AutoCloseable {
    /**
     * Makes what a session needs that nobody has needed for a while.
     *
     * @return false when that takes longer than a program should wait for a word
     * @throws IOException with a text for whoever runs the program: it is refused
     */
    default boolean prepare() throws IOException {
        return true;
    }

    /**
     * Makes what the slice needs where it is. May wait for another node.
     *
     * @throws IOException with a text for whoever wants the slice: it cannot be there
     */
    default void settle() throws IOException {}

    /**
     * Begins a session.
     *
     * @param memory taken over, unless this throws
     * @param connection to the client; the place sends context memories over it
     * @param atEnd runs when the session is over, whyever; may do so before this returns
     */
    HostedSession open(
            SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
            throws IOException;

    /** Faults of its sessions, and what they have of the process that hosts them. */
    Tally tally();

    /**
     * The slice has other terms or another limit from now on; its sessions go on. Puts the limit in
     * the ledger too.
     */
    void change(Slice slice) throws IOException;

    /**
     * Device time that all its sessions had of a device, as it was charged, where that is measured.
     */
    default OptionalLong deviceNanos(int device) {
        return OptionalLong.empty();
    }

    /** How long its launches have waited for their turn, in nanoseconds, where that is measured. */
    default OptionalLong waitNanos() {
        return OptionalLong.empty();
    }

    /** What the slice has of its devices' time, where that is shared. */
    default Optional<SliceShare> share() {
        return Optional.empty();
    }

    /** Bytes of its memory that are on the device, where some can be elsewhere. */
    default OptionalLong memoryResident() {
        return OptionalLong.empty();
    }

    /**
     * A process that hosts one slice.
     *
     * @param memory bytes that are its own
     */
    record OwnProcess(long pid, long memory) {}

    /** Empty where it hosts in the daemon, and where it has none at the moment. */
    default Optional<OwnProcess> process() {
        return Optional.empty();
    }

    /** Figures that somebody was asked for, and that are on their way. */
    interface Asked {
        /** There is nobody to ask. */
        Asked ANSWERED = until -> {};

        /**
         * Waits for them, not for longer.
         *
         * @param until by {@link System#nanoTime}
         */
        void await(long until);
    }

    /** Asks for what sessions have used up to now, and does not wait. */
    default Asked ask() {
        return Asked.ANSWERED;
    }

    /** Of when the figures are that nobody has refreshed, by the clock of the JVM. */
    default long measuredNanos() {
        return System.nanoTime();
    }

    /** Ends what is there. */
    @Override
    void close();

    /** A session that runs. Any thread. */
    interface HostedSession {
        SessionOptions options();

        long launches();

        long deviceNanos();

        /** Of one of the devices that it sees. */
        long deviceNanos(int device);

        long memoryUsed();

        long memoryUsed(int device);

        /** Ends it; what it had is given back a little later, and atEnd runs. */
        void end(String why);
    }
}
