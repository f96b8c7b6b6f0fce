package facet.host.session;

import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.Fill;
import facet.abi.Write;
import facet.device.Box;
import facet.device.Stream;
import facet.host.residency.Reach;
import java.lang.foreign.MemorySegment;

/** Copies, writes and fills inside a context: what they say is checked here, whoever keeps them. */
final class CopyWork {
    private static final CheckedWork NOTHING =
            new CheckedWork(Reach.NOTHING, InFlight.unitsOf(0), stream -> {});

    private CopyWork() {}

    static CheckedWork copy(SessionContext context, Copy command) {
        context.checkWrite(command.destination(), command.bytes());
        context.checkRead(command.source(), command.bytes());
        return new CheckedWork(
                context.reach(
                        command.destination(), command.bytes(), command.source(), command.bytes()),
                InFlight.unitsOf(0),
                stream -> stream.copy(command.destination(), command.source(), command.bytes()));
    }

    static CheckedWork copyBox(SessionContext context, CopyBox command) {
        Box box =
                new Box(
                        command.width(),
                        command.height(),
                        command.depth(),
                        command.destinationPitch(),
                        command.destinationSlice(),
                        command.sourcePitch(),
                        command.sourceSlice());
        if (isNothing(box)) {
            return NOTHING;
        }
        Spans spans = spans(box);
        context.checkWrite(command.destination(), spans.destination());
        context.checkRead(command.source(), spans.source());
        return new CheckedWork(
                context.reach(
                        command.destination(),
                        spans.destination(),
                        command.source(),
                        spans.source()),
                InFlight.unitsOf(0),
                stream -> stream.copy(command.destination(), command.source(), box));
    }

    static boolean isNothing(Box box) {
        return box.width() == 0 || box.height() == 0 || box.depth() == 0;
    }

    /**
     * Bytes from the first to behind the last one; more than there are where nothing is so long.
     */
    record Spans(long destination, long source) {}

    static Spans spans(Box box) {
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
            throw new CheckedWork.Refused("a copy of rows that overlap");
        }
        return new Spans(destination.extent(), source.extent());
    }

    static CheckedWork write(SessionContext context, Write command) {
        byte[] data = command.data();
        context.checkWrite(command.destination(), data.length);
        return new CheckedWork(
                context.reach(command.destination(), data.length),
                InFlight.unitsOf(data.length),
                stream -> stream.copyToDevice(command.destination(), MemorySegment.ofArray(data)));
    }

    static CheckedWork fill(SessionContext context, Fill command) {
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
            return NOTHING;
        }
        long row = Math.multiplyExact(columns, width);
        Rows shape = new Rows(row, rows, 1, command.pitch(), 0);
        if (!shape.isApart() || command.destination() % width != 0) {
            throw new CheckedWork.Refused("a fill of rows that overlap or are not aligned");
        }
        context.checkWrite(command.destination(), shape.extent());
        return new CheckedWork(
                context.reach(command.destination(), shape.extent()),
                InFlight.unitsOf(0),
                stream -> fillRows(stream, command, shape));
    }

    /** The first row is filled, then copied to its like in steps that double. */
    private static void fillRows(Stream stream, Fill command, Rows shape) {
        long start = command.destination();
        if (shape.isDense()) {
            stream.fill(
                    start,
                    command.value(),
                    command.width(),
                    Math.multiplyExact(command.columns(), command.rows()));
            return;
        }
        stream.fill(start, command.value(), command.width(), command.columns());
        for (long done = 1; done < command.rows(); done *= 2) {
            long more = Math.min(done, command.rows() - done);
            Box box = new Box(shape.width(), more, 1, command.pitch(), 0, command.pitch(), 0);
            long behind = Math.multiplyExact(done, command.pitch());
            stream.copy(Math.addExact(start, behind), start, box);
        }
    }
}
