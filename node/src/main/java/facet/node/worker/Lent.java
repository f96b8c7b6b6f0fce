package facet.node.worker;

import facet.abi.worker.MalformedMessage;
import facet.host.residency.RemoteRoom;
import facet.node.sharing.Lease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker was lent for its slice. It goes back when the worker has ended, or has let go of
 * the slice.
 *
 * @param memories bytes that each device of the slice has
 * @param rooms on each of them
 * @param lease of seats; null: devices are not shared
 * @param poisoned whether a fault leaves the devices useless for all of the process
 */
record Lent(List<Long> memories, List<RemoteRoom> rooms, @Nullable Lease lease, boolean poisoned) {
    int devices() {
        return rooms.size();
    }

    RemoteRoom room(int device) throws MalformedMessage {
        if (device >= rooms.size()) {
            throw new MalformedMessage("it spoke of device " + device);
        }
        return rooms.get(device);
    }

    /** Bytes that it has on devices. */
    long resident() {
        return rooms.stream().mapToLong(RemoteRoom::resident).sum();
    }

    /** The slice was promised this of each device. */
    void promised(long bytes) {
        for (int i = 0; i < rooms.size(); i++) {
            rooms.get(i).promised(Math.min(bytes, memories.get(i)));
        }
    }

    void giveBack() {
        rooms.forEach(RemoteRoom::close);
        if (lease != null) {
            lease.close();
        }
    }
}
