package facet.host.session;

import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CopyHandler;
import facet.abi.CopyPeer;
import facet.abi.CopyPeerBox;
import facet.abi.Envelope;
import facet.abi.Fill;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.Write;
import facet.device.Box;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Data: copies, writes, fills. */
final class CopyCommands implements CopyHandler {
    private final Session session;

    CopyCommands(Session session) {
        this.session = session;
    }

    @Override
    public void copy(Envelope envelope, Copy command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        context.checkRange(command.destination(), command.bytes());
        context.checkRange(command.source(), command.bytes());
        context.submit(
                stream,
                context.reach(
                        command.destination(), command.bytes(), command.source(), command.bytes()),
                () ->
                        stream.device()
                                .copy(command.destination(), command.source(), command.bytes()));
    }

    /** Between the context and another one of the session, in the order of this one's stream. */
    @Override
    public void copyPeer(Envelope envelope, CopyPeer command) {
        boolean leaves = command.toPeer() != 0;
        long own = leaves ? command.source() : command.destination();
        long bytes = command.bytes();
        between(
                envelope,
                command.stream(),
                command.peer(),
                new Range(own, bytes),
                new Range(leaves ? command.destination() : command.source(), bytes),
                (stream, there) -> {
                    if (leaves) {
                        stream.device().copyFromDevice(there, own);
                    } else {
                        stream.device().copyToDevice(own, there);
                    }
                });
    }

    /** The same of rows and slices. */
    @Override
    public void copyPeerBox(Envelope envelope, CopyPeerBox command) {
        Box box =
                new Box(
                        command.width(),
                        command.height(),
                        command.depth(),
                        command.destinationPitch(),
                        command.destinationSlice(),
                        command.sourcePitch(),
                        command.sourceSlice());
        Optional<Spans> spans = spans(envelope, command.stream(), box);
        if (spans.isEmpty()) {
            return;
        }
        boolean leaves = command.toPeer() != 0;
        Range to = new Range(command.destination(), spans.get().destination());
        Range from = new Range(command.source(), spans.get().source());
        between(
                envelope,
                command.stream(),
                command.peer(),
                leaves ? from : to,
                leaves ? to : from,
                (stream, there) -> {
                    if (leaves) {
                        stream.device().copyFromDevice(there, from.address(), box);
                    } else {
                        stream.device().copyToDevice(to.address(), there, box);
                    }
                });
    }

    /** Bytes of a context, from an address on. */
    private record Range(long address, long bytes) {}

    /** What is done with memory of another context. */
    private interface PeerCopy {
        void run(SessionStream stream, MemorySegment there);
    }

    private void between(
            Envelope envelope, int streamId, int peer, Range own, Range others, PeerCopy copy) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(streamId);
        context.checkRange(own.address(), own.bytes());
        Optional<SessionContext> found = session.peer(peer);
        if (found.isEmpty() || found.get().equals(context)) {
            refuse(context, stream, "a copy to or from a context that is gone");
            return;
        }
        SessionContext other = found.get();
        MemorySegment there = other.bytes(others.address(), others.bytes());
        // Afterwards it does not move: nobody would know that this copy is under way.
        if (!other.holding().stay()) {
            stream.latch(Result.ERROR_OUT_OF_MEMORY);
            context.submit(stream, () -> {});
            return;
        }
        other.peers().touchedBy(context);
        context.submit(
                stream, context.reach(own.address(), own.bytes()), () -> copy.run(stream, there));
    }

    @Override
    public void copyBox(Envelope envelope, CopyBox command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        Box box =
                new Box(
                        command.width(),
                        command.height(),
                        command.depth(),
                        command.destinationPitch(),
                        command.destinationSlice(),
                        command.sourcePitch(),
                        command.sourceSlice());
        Optional<Spans> spans = spans(envelope, command.stream(), box);
        if (spans.isEmpty()) {
            return;
        }
        long to = spans.get().destination();
        long from = spans.get().source();
        context.checkRange(command.destination(), to);
        context.checkRange(command.source(), from);
        context.submit(
                stream,
                context.reach(command.destination(), to, command.source(), from),
                () -> stream.device().copy(command.destination(), command.source(), box));
    }

    /**
     * Bytes from the first to behind the last one; more than there are where nothing is so long.
     */
    private record Spans(long destination, long source) {}

    /** Empty when there is nothing to copy, or when it was refused; the stream knows of it then. */
    private Optional<Spans> spans(Envelope envelope, int streamId, Box box) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(streamId);
        if (box.width() == 0 || box.height() == 0 || box.depth() == 0) {
            context.submit(stream, () -> {});
            return Optional.empty();
        }
        Rows destination =
                new Rows(
                        box.width(),
                        box.height(),
                        box.depth(),
                        box.destinationPitch(),
                        box.destinationSlice());
        Rows source =
                new Rows(
                        box.width(),
                        box.height(),
                        box.depth(),
                        box.sourcePitch(),
                        box.sourceSlice());
        if (!destination.isApart() || !source.isApart()) {
            refuse(context, stream, "a copy of rows that overlap");
            return Optional.empty();
        }
        return Optional.of(new Spans(destination.extent(), source.extent()));
    }

    @Override
    public void write(Envelope envelope, Write command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        byte[] data = command.data();
        context.checkRange(command.destination(), data.length);
        context.submit(
                stream,
                context.reach(command.destination(), data.length),
                InFlight.unitsOf(data.length),
                () ->
                        stream.device()
                                .copyToDevice(command.destination(), MemorySegment.ofArray(data)));
    }

    /** As a copy, but answered when the data is there. */
    @Override
    public void read(Envelope envelope, Read command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        context.checkRange(command.destination(), command.bytes());
        context.checkRange(command.source(), command.bytes());
        int latched = context.takeLatched(stream);
        context.read(
                stream,
                context.reach(
                        command.destination(), command.bytes(), command.source(), command.bytes()),
                () ->
                        stream.device()
                                .copy(command.destination(), command.source(), command.bytes()),
                result ->
                        session.reply(
                                envelope, context, latched == Result.SUCCESS ? result : latched));
    }

    @Override
    public void fill(Envelope envelope, Fill command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        int width = command.width();
        long columns = command.columns();
        long rows = command.rows();
        if (width != 1 && width != 2 && width != 4
                || columns < 0
                || columns > Long.MAX_VALUE / width
                || rows < 0) {
            throw new ProtocolViolation(
                    "a fill of " + rows + " rows of " + columns + " elements of " + width);
        }
        if (columns == 0 || rows == 0) {
            context.submit(stream, () -> {});
            return;
        }
        long row = Math.multiplyExact(columns, width);
        Rows shape = new Rows(row, rows, 1, command.pitch(), 0);
        if (!shape.isApart() || command.destination() % width != 0) {
            refuse(context, stream, "a fill of rows that overlap or are not aligned");
            return;
        }
        context.checkRange(command.destination(), shape.extent());
        context.submit(
                stream,
                context.reach(command.destination(), shape.extent()),
                () -> fillRows(stream, command, shape));
    }

    /** The first row is filled, then copied to its like in steps that double. */
    private static void fillRows(SessionStream stream, Fill command, Rows shape) {
        long start = command.destination();
        if (shape.isDense()) {
            stream.device()
                    .fill(
                            start,
                            command.value(),
                            command.width(),
                            Math.multiplyExact(command.columns(), command.rows()));
            return;
        }
        stream.device().fill(start, command.value(), command.width(), command.columns());
        for (long done = 1; done < command.rows(); done *= 2) {
            long more = Math.min(done, command.rows() - done);
            Box box = new Box(shape.width(), more, 1, command.pitch(), 0, command.pitch(), 0);
            long behind = Math.multiplyExact(done, command.pitch());
            stream.device().copy(Math.addExact(start, behind), start, box);
        }
    }

    private void refuse(SessionContext context, SessionStream stream, String reason) {
        session.log(reason);
        stream.latch(Result.ERROR_INVALID_VALUE);
        context.submit(stream, () -> {});
    }
}
