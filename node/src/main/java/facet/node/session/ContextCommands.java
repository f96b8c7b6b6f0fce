package facet.node.session;

import facet.abi.ContextCreate;
import facet.abi.ContextLimit;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;

/** Contexts: making them, with the memory that the client maps too, and ending them. */
final class ContextCommands {
    private static final long HUGE_PAGE = 2L << 20;
    private static final long PAGE = 4096;

    /** Pinned and staged memory have room beside all that the slice may allocate. */
    private static final long HOST_ROOM = 16L << 30;

    /** Module variables and the kernels' heap. */
    private static final long SYSTEM = 1L << 30;

    private static final long MOST_HEAP = 256L << 20;
    private static final int LOCAL_PER_THREAD = 64 << 10;
    private static final long HIGHEST_ADDRESS = 1L << 47;
    private static final long LOWEST_ADDRESS = 1L << 32;

    private static final int LIMIT_STACK = 0;
    private static final int LIMIT_HEAP = 2;
    private static final int LIMITS = 8;

    private final Session session;

    ContextCommands(Session session) {
        this.session = session;
    }

    void create(Envelope envelope, ContextCreate command) {
        int id = envelope.context();
        if (session.hasContext(id)) {
            throw new ProtocolViolation("context " + id + " is made twice");
        }
        if (command.device() < 0 || command.device() >= session.devices().size()) {
            session.reply(envelope, Result.ERROR_INVALID_DEVICE);
            return;
        }
        SharedMemoryUnsafe memory;
        try {
            memory = memory(id);
        } catch (IOException e) {
            session.log("no memory for context " + id + ": " + e.getMessage());
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        long base = command.base();
        if (base < LOWEST_ADDRESS || base > HIGHEST_ADDRESS - memory.bytes() || base % PAGE != 0) {
            memory.close();
            throw new ProtocolViolation("a context at 0x" + Long.toHexString(base));
        }
        long arena = memory.bytes() - SYSTEM;
        try {
            session.put(open(id, command, memory, arena));
        } catch (DeviceException e) {
            memory.close();
            session.log("context " + id + " cannot be made: " + e.getMessage());
            session.reply(envelope, e.error().code());
            return;
        }
        session.channel().sendMemory(id, memory.descriptor());
        session.reply(envelope, Result.SUCCESS, arena, memory.bytes());
    }

    /** As much as wanted, or less when the system does not map so much. */
    private SharedMemoryUnsafe memory(int id) throws IOException {
        long arena =
                (2 * session.options().memory() + HOST_ROOM + HUGE_PAGE - 1)
                        / HUGE_PAGE
                        * HUGE_PAGE;
        String name = "facet-" + session.options().id() + "-" + id;
        while (true) {
            try {
                return SharedMemoryUnsafe.create(name, arena + SYSTEM);
            } catch (IOException e) {
                arena = arena / 2 / HUGE_PAGE * HUGE_PAGE;
                if (arena < HUGE_PAGE) {
                    throw e;
                }
            }
        }
    }

    private SessionContext open(
            int id, ContextCreate command, SharedMemoryUnsafe memory, long arena) {
        Device device = session.devices().get(command.device());
        ContextReport report = session.channel().report(id);
        ContextFaults faults = new ContextFaults(session, report);
        Context context =
                device.createContext(
                        new ContextOptions(
                                Integer.toString(id),
                                device.profile().memory(),
                                Math.min(MOST_HEAP, session.options().memory()),
                                LOCAL_PER_THREAD,
                                session.channel()::print,
                                faults::happened,
                                new AddressSpace(
                                        command.base(),
                                        arena,
                                        memory.segment(),
                                        (offset, bytes) -> {}),
                                null));
        faults.watch(context);
        return new SessionContext(
                session,
                id,
                context,
                device.profile(),
                memory,
                command.base(),
                report,
                faults,
                session.quarters().devices().get(command.device()));
    }

    /** Waits for the context's work, then ends it; the client waits for that. */
    void destroy(Envelope envelope) {
        SessionContext context = session.context(envelope);
        session.retire(context);
        context.whenAllEnded(() ->
                // Not on a thread of the device: closing waits for those.
                Thread.ofVirtual()
                        .name("facet-context-end")
                        .start(() -> {
                            session.end(context);
                            session.reply(envelope, Result.SUCCESS);
                        }));
    }

    void synchronize(Envelope envelope) {
        SessionContext context = session.context(envelope);
        int latched = context.takeLatched();
        context.whenAllEnded(() -> session.reply(envelope, context, latched));
    }

    void limit(Envelope envelope, ContextLimit command) {
        SessionContext context = session.context(envelope);
        int limit = command.limit();
        long value = command.value();
        int result;
        if (limit < 0 || limit >= LIMITS) {
            result = Result.ERROR_UNSUPPORTED_LIMIT;
        } else if (value < 0
                || limit == LIMIT_STACK && value > LOCAL_PER_THREAD
                || limit == LIMIT_HEAP && value > MOST_HEAP) {
            result = Result.ERROR_INVALID_VALUE;
        } else {
            result = Result.SUCCESS;
        }
        session.reply(envelope, context, result);
    }
}
