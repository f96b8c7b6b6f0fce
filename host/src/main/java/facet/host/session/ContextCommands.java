package facet.host.session;

import facet.abi.ContextCreate;
import facet.abi.ContextLimit;
import facet.abi.Envelope;
import facet.abi.PeerAccess;
import facet.abi.Result;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.host.ledger.Ledger;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.util.Optional;

/** Contexts: making them, with the memory that the client maps too, and ending them. */
final class ContextCommands {
    private static final long HUGE_PAGE = 2L << 20;
    private static final long PAGE = 4096;

    /** Pinned and staged memory have room beside all that the slice may allocate. */
    private static final long HOST_ROOM = 16L << 30;

    /** Addresses for module variables and the kernels' heap. */
    private static final long OWN = 4L << 30;

    private static final long MOST_HEAP = OWN / 2;

    /** As CUDA has it where nobody sets the limit. */
    private static final long HEAP = 8L << 20;

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
        if (!session.tally().takeDescriptors(1)) {
            session.log("no context " + id + ": its slice has too many files open in the daemon");
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        SharedMemoryUnsafe memory;
        try {
            memory = memory(id, session.devices().get(command.device()));
        } catch (IOException e) {
            session.tally().giveDescriptors(1);
            session.log("no memory for context " + id + ": " + e.getMessage());
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        long base = command.base();
        if (base < LOWEST_ADDRESS || base > HIGHEST_ADDRESS - memory.bytes() || base % PAGE != 0) {
            memory.close();
            session.tally().giveDescriptors(1);
            throw new ProtocolViolation("a context at 0x" + Long.toHexString(base));
        }
        try {
            session.put(open(id, command, memory));
        } catch (DeviceException e) {
            memory.close();
            session.tally().giveDescriptors(1);
            session.log("context " + id + " cannot be made: " + e.getMessage());
            session.reply(envelope, e.error().code());
            return;
        }
        session.channel().sendMemory(id, memory.descriptor());
        session.reply(envelope, Result.SUCCESS, OWN, memory.bytes());
    }

    /**
     * As much as wanted, or less when the system does not map so much. There are addresses for all
     * of the device's memory: the slice may be given more while the context lives.
     */
    private SharedMemoryUnsafe memory(int id, Device device) throws IOException {
        long most = Math.max(session.options().memory(), device.profile().memory());
        long arena = (2 * most + HOST_ROOM + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        String name = "facet-" + session.options().id() + "-" + id;
        while (true) {
            try {
                return SharedMemoryUnsafe.createGuarded(name, OWN + arena);
            } catch (IOException e) {
                arena = arena / 2 / HUGE_PAGE * HUGE_PAGE;
                if (arena < HUGE_PAGE) {
                    throw e;
                }
            }
        }
    }

    private SessionContext open(int id, ContextCreate command, SharedMemoryUnsafe shared) {
        Device device = session.devices().get(command.device());
        Ledger ledger = session.ledger(command.device());
        LentMemory memory =
                new LentMemory(
                        shared,
                        command.base(),
                        ledger,
                        session.options().ledgerSlot(),
                        device::bill);
        ContextReport report = session.channel().report(id);
        ContextFaults faults = new ContextFaults(session, report);
        Context context =
                device.createContext(
                        new ContextOptions(
                                Integer.toString(id),
                                device.profile().memory(),
                                HEAP,
                                LOCAL_PER_THREAD,
                                session.channel()::print,
                                faults::happened,
                                new AddressSpace(command.base(), OWN, shared.segment(), memory),
                                null));
        faults.watch(context);
        return new SessionContext(
                session,
                id,
                ledger,
                context,
                device.profile(),
                memory,
                report,
                faults,
                session.residency().devices().get(command.device()));
    }

    /** Waits for the context's work, then ends it; the client waits for that. */
    void destroy(Envelope envelope) {
        SessionContext context = session.context(envelope);
        session.retire(context);
        context.peers().retire();
        context.peers()
                .whenUntouched(() ->
                        // Not on a thread of the device: closing waits for those.
                        Thread.ofVirtual()
                                .name("facet-context-end")
                                .start(() -> {
                                    session.end(context);
                                    session.reply(envelope, Result.SUCCESS);
                                }));
    }

    /** Whether its kernels may access the memory of another one. */
    void peerAccess(Envelope envelope, PeerAccess command) {
        SessionContext context = session.context(envelope);
        Optional<SessionContext> other = session.peer(command.peer());
        int result = Result.SUCCESS;
        if (other.isEmpty() || other.get().equals(context)) {
            result = Result.ERROR_INVALID_CONTEXT;
        } else if (command.enabled() == 0) {
            context.peers().disable(other.get());
        } else if (!context.peers().enable(other.get())) {
            result = Result.ERROR_OUT_OF_MEMORY;
        }
        session.reply(envelope, context, result);
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
            result = limit == LIMIT_HEAP ? heap(context, value) : Result.SUCCESS;
        }
        session.reply(envelope, context, result);
    }

    private static int heap(SessionContext context, long bytes) {
        try {
            context.device().heap(bytes);
            return Result.SUCCESS;
        } catch (DeviceException e) {
            return e.error().code();
        }
    }
}
