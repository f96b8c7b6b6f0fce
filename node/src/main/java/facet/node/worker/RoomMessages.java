package facet.node.worker;

import facet.abi.worker.Resident;
import facet.abi.worker.Room;
import facet.abi.worker.RoomPart;
import facet.host.residency.Moves;
import facet.host.residency.RoomReport;

/** What a worker says about room on devices, and what that means. */
final class RoomMessages {
    private static final long MOST_FIGURE = 1L << 42;

    private RoomMessages() {}

    static Room room(int device, RoomReport report) {
        return new Room(
                device,
                report.number(),
                report.holds(),
                report.wants(),
                report.spare(),
                report.parts().stream().map(RoomMessages::part).toList());
    }

    private static RoomPart part(RoomReport.Part part) {
        return new RoomPart(
                part.bytes(), part.working(), part.idleNanos(), part.unusedNanos(), part.waits());
    }

    static RoomReport report(Room message) {
        return new RoomReport(
                message.number(),
                message.holds(),
                message.wants(),
                message.spare(),
                message.parts().stream().map(RoomMessages::part).toList());
    }

    private static RoomReport.Part part(RoomPart part) {
        return new RoomReport.Part(
                part.bytes(), part.working(), part.idleNanos(), part.unusedNanos(), part.waits());
    }

    static Resident resident(int device, long resident, long out, Moves moves) {
        return new Resident(
                device,
                resident,
                out,
                moves.out(),
                moves.outBytes(),
                moves.back(),
                moves.backBytes());
    }

    static Moves moves(Resident message) {
        return new Moves(
                figure(message.outs()),
                figure(message.outBytes()),
                figure(message.backs()),
                figure(message.backBytes()));
    }

    /** No figure that is told again and again makes a sum overflow. */
    private static long figure(long number) {
        return Math.min(number, MOST_FIGURE);
    }
}
