package facet.host.session;

import facet.device.DeviceException;
import facet.device.Stream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conditional step: a number in device memory says which block comes next. The lane is suspended
 * meanwhile; what is chosen runs in a stream of its own, and is given to the device when the number
 * is known, so that an endless loop never has more than one round under way.
 */
final class GraphBranch {
    static final int IF = 0;
    static final int WHILE = 1;
    static final int SWITCH = 2;

    private final Session session;
    private final SessionContext context;
    private final long address;
    private final int kind;
    private final boolean assigns;
    private final int value;
    private final int[] bodies;
    private final MemorySegment seen = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private @Nullable Stream stream;
    private volatile List<List<Work>> work = List.of();

    /**
     * @param address of the number
     * @param assigns whether each launch begins with {@code value}
     * @param bodies blocks
     */
    GraphBranch(
            Session session,
            SessionContext context,
            long address,
            int kind,
            boolean assigns,
            int value,
            int[] bodies) {
        this.session = session;
        this.context = context;
        this.address = address;
        this.kind = kind;
        this.assigns = assigns;
        this.value = value;
        this.bodies = bodies;
    }

    /** Before a launch: what its blocks do. */
    void prepare(List<List<Work>> all) {
        work = all;
        if (stream == null) {
            stream = context.device().createStream();
        }
    }

    void assign(Stream launched) {
        if (assigns) {
            launched.fill(address, value, Integer.BYTES, 1);
        }
    }

    void give(Stream lane) {
        lane.suspend(this::look);
    }

    /** Reads the number behind what was given before. Any thread. */
    private void look(Runnable resume) {
        Stream own = stream;
        if (own == null || context.isClosing()) {
            resume.run();
            return;
        }
        try {
            own.copyFromDevice(seen, address);
            own.whenEnded(() -> choose(own, resume));
        } catch (DeviceException e) {
            // The context has a fault, which whoever waits is told.
            session.debug("a condition of a graph: " + e.getMessage());
            resume.run();
        }
    }

    private void choose(Stream own, Runnable resume) {
        int body =
                context.isClosing() || context.fault() != 0
                        ? -1
                        : bodyOf(seen.get(ValueLayout.JAVA_INT, 0));
        try {
            if (body >= 0 && body < work.size()) {
                work.get(body).forEach(each -> each.on(own));
            }
        } catch (DeviceException e) {
            session.log("context " + context.id() + ": " + e.getMessage());
            body = -1;
        } catch (RuntimeException e) {
            session.defect("a condition of a graph", e);
            body = -1;
        }
        if (body >= 0 && kind == WHILE) {
            own.whenEnded(() -> look(resume));
        } else {
            own.whenEnded(resume);
        }
    }

    /** The block that a number chooses, or -1. */
    private int bodyOf(int number) {
        return switch (kind) {
            case IF -> number != 0 ? bodies[0] : bodies.length > 1 ? bodies[1] : -1;
            case WHILE -> number != 0 ? bodies[0] : -1;
            default -> number >= 0 && number < bodies.length ? bodies[number] : -1;
        };
    }

    void close() {
        if (stream != null) {
            stream.close();
        }
    }
}
