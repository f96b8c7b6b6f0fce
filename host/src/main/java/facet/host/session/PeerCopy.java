package facet.host.session;

import facet.abi.CopyPeer;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Copies between a context and another one of the session, in the order of a stream of the first.
 */
final class PeerCopy {
    private PeerCopy() {}

    /** The other context's memory cannot be all on its device. */
    static final class NoRoom extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static Work work(Session session, SessionContext context, CopyPeer command) {
        boolean leaves = command.toPeer() != 0;
        long own = leaves ? command.source() : command.destination();
        long others = leaves ? command.destination() : command.source();
        long bytes = command.bytes();
        context.checkRange(own, bytes);
        Optional<SessionContext> found = session.peer(command.peer());
        if (found.isEmpty() || found.get().equals(context)) {
            throw new Work.Refused("a copy to or from a context that is gone");
        }
        SessionContext other = found.get();
        MemorySegment there = other.bytes(others, bytes);
        // Afterwards it does not move: nobody would know that this copy is under way.
        if (!other.holding().stay()) {
            throw new NoRoom();
        }
        other.peers().touchedBy(context);
        return new Work(
                context.reach(own, bytes),
                InFlight.unitsOf(0),
                stream -> {
                    if (leaves) {
                        stream.copyFromDevice(there, own);
                    } else {
                        stream.copyToDevice(own, there);
                    }
                });
    }
}
