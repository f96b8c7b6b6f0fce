package facet.node;

import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.host.residency.Moves;
import facet.host.residency.Residency;
import facet.slices.Size;
import java.util.ArrayList;
import java.util.List;

/** Tells of memory that moved, once a second: an event for each allocation would be too many. */
final class MoveEvents {
    private MoveEvents() {}

    static void tell(List<Residency> devices, Events events) {
        for (int i = 0; i < devices.size(); i++) {
            int device = i;
            devices.get(i)
                    .takeMoves()
                    .forEach((slice, moves) ->
                            events.add(Kind.MEMORY_MOVED, slice, text(device, moves)));
        }
    }

    private static String text(int device, Moves moves) {
        List<String> parts = new ArrayList<>();
        if (moves.out() > 0) {
            parts.add(Size.text(moves.outBytes()) + " of device " + device + " to host memory");
        }
        if (moves.back() > 0) {
            parts.add(Size.text(moves.backBytes()) + " back to device " + device);
        }
        return "moved " + String.join(", ", parts);
    }
}
