package facet.node.worker;

import facet.abi.worker.Lend;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.host.residency.LentRoom;
import facet.host.residency.Moves;
import facet.host.residency.Residency;
import facet.host.residency.RoomReport;
import facet.host.session.SessionResidency;
import facet.log.Log;
import facet.log.Who;
import facet.sched.Eviction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a worker was lent of each device, and what of its sessions' memory is there. */
final class WorkerRooms {
    private record Told(long resident, long out, Moves moves) {}

    private static final Told NOTHING = new Told(0, 0, Moves.NONE);

    private final WorkerLink<ToDaemon, ToWorker> link;
    private final Log log;
    private final List<LentRoom> lent = new ArrayList<>();
    private final List<Residency> residencies = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final SessionResidency residency;

    WorkerRooms(WorkerLink<ToDaemon, ToWorker> link, int devices, Eviction eviction, Log log) {
        this.link = link;
        this.log = log;
        for (int i = 0; i < devices; i++) {
            int device = i;
            // The daemon lends some as soon as this worker is ready.
            LentRoom room = new LentRoom(0, report -> tell(device, report));
            lent.add(room);
            residencies.add(new Residency(Integer.toString(i), room, eviction));
            told.add(NOTHING);
        }
        residency = new SessionResidency(residencies, () -> 0);
    }

    /** For its sessions. Which slice has which priority is the daemon's affair. */
    SessionResidency residency() {
        return residency;
    }

    /** The daemon lends more, or less. */
    void lend(Lend word) {
        lent.get(word.device()).lent(word.number(), word.bytes(), word.lacking(), word.own());
    }

    /** Nobody is lent anything any more. */
    void close() {
        residencies.forEach(Residency::close);
    }

    private void tell(int device, RoomReport report) {
        try {
            link.send(RoomMessages.room(device, report));
        } catch (IOException e) {
            log.debug(Who.part("worker"), "the daemon is gone: " + e.getMessage());
        }
    }

    /** Says what is where, unless nothing is different from before. */
    void tell() throws IOException {
        for (int i = 0; i < residencies.size(); i++) {
            Residency residency = residencies.get(i);
            long resident = residency.resident();
            Moves moves = residency.takeMoves().values().stream().reduce(Moves.NONE, Moves::plus);
            Told now = new Told(resident, residency.figures().movedOut(), moves);
            if (moves.isAny() || !now.equals(told.get(i))) {
                link.send(RoomMessages.resident(i, now.resident, now.out, moves));
                told.set(i, now);
            }
        }
    }
}
