package facet.host.session;

import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.ContextHandler;
import facet.abi.ContextLimit;
import facet.abi.ContextSynchronize;
import facet.abi.Envelope;
import facet.abi.PeerAccess;
import facet.abi.Result;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.host.ledger.Ledger;
import java.io.IOException;
import java.util.Optional;

/** Contexts: making them, with the memory that the client maps too, and ending them. */
final class ContextCommands implements ContextHandler {
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
    private static final int LIMIT_PENDING = 4;
    private static final int LIMITS = 8;

    private final Session session;

    ContextCommands(Session session) {
        this.session = session;
    }

    @Override
    public void contextCreate(Envelope envelope, ContextCreate command) {
        int id = envelope.context();
        if (session.hasContext(id)) {
            throw new ProtocolViolation("context " + id + " is made twice");
        }
        if (command.device() < 0 || command.device() >= session.devices().size()) {
            session.reply(envelope, Result.ERROR_INVALID_DEVICE);
            return;
        }
        Device device = session.devices().get(command.device());
        Ledger ledger = session.ledger(command.device());
        LentMemory memory;
        try {
            memory = memory(id, device, ledger, command.base());
        } catch (DeviceException | IOException e) {
            session.log("no memory for context " + id + ": " + e.getMessage());
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        boolean opened = false;
        try {
            checkBase(command.base(), memory.bytes());
            session.put(open(id, command, device, ledger, memory));
            opened = true;
        } catch (DeviceException e) {
            if (e.error() != DeviceError.ADDRESS_TAKEN) { // it comes again, with another place
                session.log("context " + id + " cannot be made: " + e.getMessage());
            }
            session.reply(envelope, e.error().code());
            return;
        } finally {
            if (!opened) {
                memory.close();
            }
        }
        session.channel().sendMemory(id, memory.descriptor(), memory.isMapped());
        session.reply(envelope, Result.SUCCESS, OWN, memory.bytes());
    }

    private static void checkBase(long base, long bytes) {
        if (base < LOWEST_ADDRESS || base > HIGHEST_ADDRESS - bytes || base % PAGE != 0) {
            throw new ProtocolViolation("a context at 0x" + Long.toHexString(base));
        }
    }

    /**
     * As much as wanted, or less when the system does not map so much. There are addresses for all
     * of the device's memory: the slice may be given more while the context lives.
     */
    private LentMemory memory(int id, Device device, Ledger ledger, long base) throws IOException {
        long most = Math.max(session.options().memory(), device.profile().memory());
        long arena = (2 * most + HOST_ROOM + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        String name = "facet-" + session.options().id() + "-" + id;
        LentMemory.Terms terms =
                new LentMemory.Terms(
                        base,
                        ledger,
                        session.options().ledgerSlot(),
                        session.tally(),
                        device::bill);
        while (true) {
            try {
                return LentMemory.of(device.createMemory(name, OWN + arena), name, terms);
            } catch (DeviceException e) {
                arena = arena / 2 / HUGE_PAGE * HUGE_PAGE;
                if (e.error() != DeviceError.OUT_OF_MEMORY || arena < HUGE_PAGE) {
                    throw e;
                }
            }
        }
    }

    private SessionContext open(
            int id, ContextCreate command, Device device, Ledger ledger, LentMemory memory) {
        ContextReport report = session.channel().report(id);
        ContextFaults faults = new ContextFaults(session, report);
        Context context =
                memory.context(
                        device.createContext(
                                new ContextOptions(
                                        Integer.toString(id),
                                        device.profile().memory(),
                                        HEAP,
                                        LOCAL_PER_THREAD,
                                        session.channel()::print,
                                        faults::happened,
                                        memory.space(OWN),
                                        null)));
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
    @Override
    public void contextDestroy(Envelope envelope, ContextDestroy command) {
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
    @Override
    public void peerAccess(Envelope envelope, PeerAccess command) {
        SessionContext context = session.context(envelope);
        Optional<SessionContext> other = session.peer(command.peer());
        if (other.isEmpty() || other.get().equals(context)) {
            session.reply(envelope, context, Result.ERROR_INVALID_CONTEXT);
        } else if (command.enabled() == 0) {
            context.peers().disable(other.get());
            session.reply(envelope, context, Result.SUCCESS);
        } else if (!session.devices()
                .get(context.ledger().device())
                .reaches(session.devices().get(other.get().ledger().device()))) {
            session.reply(envelope, context, Result.ERROR_PEER_ACCESS_UNSUPPORTED);
        } else {
            context.peers()
                    .enable(
                            other.get(),
                            there ->
                                    session.reply(
                                            envelope,
                                            context,
                                            there ? Result.SUCCESS : Result.ERROR_OUT_OF_MEMORY));
        }
    }

    @Override
    public void contextSynchronize(Envelope envelope, ContextSynchronize command) {
        SessionContext context = session.context(envelope);
        int latched = context.streams().takeLatched();
        context.streams()
                .whenAllEnded(() ->
                        session.reply(
                                envelope,
                                context,
                                latched == Result.SUCCESS
                                        ? context.streams().takeLate()
                                        : latched));
    }

    @Override
    public void contextLimit(Envelope envelope, ContextLimit command) {
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
            result =
                    switch (limit) {
                        case LIMIT_HEAP -> heap(context, value);
                        case LIMIT_PENDING -> {
                            context.device().pendingLaunches(value);
                            yield Result.SUCCESS;
                        }
                        default -> Result.SUCCESS;
                    };
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
