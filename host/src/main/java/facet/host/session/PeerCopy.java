package facet.host.session;

import facet.abi.CopyPeer;
import facet.abi.CopyPeerBox;
import facet.device.Box;
import facet.device.Stream;
import facet.host.residency.Reach;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A copy between a context and another one of the session, in the order of a stream of the first.
 * It needs the memory of both.
 *
 * @param other the context whose stream does not do it
 * @param reach what it touches of its own context
 */
record PeerCopy(SessionContext other, Reach reach, Work copy) implements Work {

    /** Bytes of a context, from an address on. */
    private record Range(long address, long bytes) {}

    /** What is done with memory of another context. */
    private interface Action {
        void on(Stream device, MemorySegment there);
    }

    @Override
    public void on(Stream device) {
        copy.on(device);
    }

    static PeerCopy of(Session session, SessionContext context, CopyPeer command) {
        boolean leaves = command.toPeer() != 0;
        long own = leaves ? command.source() : command.destination();
        long bytes = command.bytes();
        return of(
                session,
                context,
                command.peer(),
                leaves,
                new Range(own, bytes),
                new Range(leaves ? command.destination() : command.source(), bytes),
                (device, there) -> {
                    if (leaves) {
                        device.copyFromDevice(there, own);
                    } else {
                        device.copyToDevice(own, there);
                    }
                });
    }

    /** The same of rows and slices; empty when there is nothing to copy. */
    static Optional<PeerCopy> of(Session session, SessionContext context, CopyPeerBox command) {
        Box box =
                new Box(
                        command.width(),
                        command.height(),
                        command.depth(),
                        command.destinationPitch(),
                        command.destinationSlice(),
                        command.sourcePitch(),
                        command.sourceSlice());
        if (CopyWork.isNothing(box)) {
            return Optional.empty();
        }
        CopyWork.Spans spans = CopyWork.spans(box);
        boolean leaves = command.toPeer() != 0;
        Range to = new Range(command.destination(), spans.destination());
        Range from = new Range(command.source(), spans.source());
        return Optional.of(
                of(
                        session,
                        context,
                        command.peer(),
                        leaves,
                        leaves ? from : to,
                        leaves ? to : from,
                        (device, there) -> {
                            if (leaves) {
                                device.copyFromDevice(there, from.address(), box);
                            } else {
                                device.copyToDevice(to.address(), there, box);
                            }
                        }));
    }

    private static PeerCopy of(
            Session session,
            SessionContext context,
            int peer,
            boolean leaves,
            Range own,
            Range others,
            Action action) {
        if (leaves) {
            context.checkRead(own.address(), own.bytes());
        } else {
            context.checkWrite(own.address(), own.bytes());
        }
        Optional<SessionContext> found = session.peer(peer);
        if (found.isEmpty() || found.get().equals(context)) {
            throw new CheckedWork.Refused("a copy to or from a context that is gone");
        }
        SessionContext other = found.get();
        MemorySegment there = other.bytes(others.address(), others.bytes());
        other.peers().touchedBy(context);
        return new PeerCopy(
                other,
                context.reach(own.address(), own.bytes()),
                device -> action.on(device, there));
    }
}
