package facet.host.session;

import facet.abi.Advise;
import facet.abi.Allocate;
import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.Free;
import facet.abi.FreeAsync;
import facet.abi.MemoryHandler;
import facet.abi.Prefetch;
import facet.abi.Result;
import facet.abi.ReturnPages;
import facet.abi.Touch;
import facet.device.DeviceException;
import facet.host.ledger.MachineMemory;
import facet.host.residency.ContextHolding;
import facet.slices.Size;
import java.util.Optional;

/** Memory: the client chooses addresses, here they are checked and counted. */
final class MemoryCommands implements MemoryHandler {
    private static final long PAGE = 4096;

    private final Session session;

    MemoryCommands(Session session) {
        this.session = session;
    }

    @Override
    public void allocate(Envelope envelope, Allocate command) {
        SessionContext context = session.context(envelope);
        if (command.kind() < Constants.MEMORY_DEVICE || command.kind() > Constants.MEMORY_STAGING) {
            throw new ProtocolViolation("memory of kind " + command.kind());
        }
        // Also where the context has failed and nobody else looks at the address any more.
        context.checkRange(command.address(), command.bytes());
        Allocations.Allocation allocation =
                new Allocations.Allocation(command.address(), command.bytes(), command.kind());
        if (allocation.isCounted()) {
            if (!context.ledger().allocate(session.options().ledgerSlot(), command.bytes())) {
                throw new ProtocolViolation(
                        Size.text(command.bytes()) + " are more than its slice has left");
            }
        } else {
            checkHost(allocation);
        }
        try {
            if (isOnDevice(context, allocation)) {
                context.device().allocateAt(command.address(), command.bytes());
            }
            context.memory().taken(allocation);
        } catch (DeviceException e) {
            // A client that has not yet seen the fault of its context is not to blame.
            if (context.device().fault().isEmpty()) {
                throw new ProtocolViolation(String.valueOf(e.getMessage()));
            }
        }
        context.allocations().add(allocation);
        if (!session.tally().addObject()) {
            throw new ProtocolViolation(
                    "its slice has more than "
                            + session.tally().mostObjects()
                            + " streams, events, modules and allocations");
        }
        if (allocation.isCounted()) {
            context.holding()
                    .take(
                            context.offset(command.address()),
                            command.bytes(),
                            command.kind() == Constants.MEMORY_DEVICE);
        }
    }

    /** Data on its way to a device whose memory nobody maps is not there yet. */
    private static boolean isOnDevice(SessionContext context, Allocations.Allocation allocation) {
        return context.memory().isMapped() || allocation.kind() != Constants.MEMORY_STAGING;
    }

    /** The machine's own memory: not of the slice, but not without end either. */
    private void checkHost(Allocations.Allocation allocation) {
        long most =
                allocation.kind() == Constants.MEMORY_STAGING
                        ? Constants.STAGING_BYTES
                        : MachineMemory.all();
        long present =
                session.contextsInMemory().stream()
                        .mapToLong(each -> each.allocations().of(allocation.kind()))
                        .sum();
        if (allocation.bytes() < 0 || allocation.bytes() > most - present) {
            throw new ProtocolViolation(
                    Size.text(allocation.bytes())
                            + " more than "
                            + Size.text(present)
                            + " of "
                            + (allocation.kind() == Constants.MEMORY_STAGING
                                    ? "staging memory"
                                    : "pinned memory")
                            + ", a session may have "
                            + Size.text(most));
        }
    }

    @Override
    public void free(Envelope envelope, Free command) {
        SessionContext context = session.context(envelope);
        release(context, command.address());
    }

    /**
     * Counts as freed at once: addresses and ledger are the client's to give out again in stream
     * order. It is retired when the stream comes there.
     */
    @Override
    public void freeAsync(Envelope envelope, FreeAsync command) {
        SessionContext context = session.context(envelope);
        // Also when the stream is gone: the client has given the address away already.
        release(context, command.address());
        SessionStream stream = context.streams().get(command.stream());
        context.work().submit(stream, _ -> {});
    }

    private void release(SessionContext context, long address) {
        Allocations.Allocation allocation = context.allocations().remove(address);
        session.tally().removeObjects(1);
        context.memory().given(address);
        if (isOnDevice(context, allocation)) {
            context.device().release(address);
        }
        if (allocation.isCounted()) {
            context.holding().give(context.offset(address));
            context.ledger().release(session.options().ledgerSlot(), allocation.bytes());
        }
    }

    /** Answered when all of the context's memory is on the device. */
    @Override
    public void touch(Envelope envelope, Touch command) {
        SessionContext context = session.context(envelope);
        context.holding()
                .whenThere(there ->
                        session.reply(
                                envelope,
                                context,
                                there ? Result.SUCCESS : Result.ERROR_OUT_OF_MEMORY));
    }

    /**
     * Managed memory comes to the device or leaves it, when the stream is there. Without room it
     * stays where it is: kernels reach it there, too.
     */
    @Override
    public void prefetch(Envelope envelope, Prefetch command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        Optional<SessionContext> found = session.peer(command.memory());
        if (found.isEmpty()) {
            context.work().submit(stream, _ -> {}); // what is gone is nowhere
            return;
        }
        SessionContext owner = found.get();
        owner.checkRange(command.address(), command.bytes());
        long offset = owner.offset(command.address());
        ContextHolding holding = owner.holding();
        Work work =
                command.toDevice() == 0
                        ? device -> device.callback(() -> holding.toHost(offset, command.bytes()))
                        : device ->
                                device.suspend(
                                        goOn -> holding.toDevice(offset, command.bytes(), goOn));
        context.work().submit(stream, work);
    }

    @Override
    public void advise(Envelope envelope, Advise command) {
        SessionContext context = session.context(envelope);
        context.checkRange(command.address(), command.bytes());
        context.holding()
                .willing(
                        context.offset(command.address()), command.bytes(), command.willing() != 0);
    }

    /**
     * A claim of nothing is answered when all that the context gives back has gone to the system.
     * Another one is decided at once where there is room, and else when others had the time to take
     * back what they claimed in vain. Where freed memory is still on its way to the system the
     * client learns it later.
     */
    @Override
    public void claim(Envelope envelope, Claim command) {
        SessionContext context = session.context(envelope);
        Runnable granted = () -> session.reply(envelope, context, Result.SUCCESS);
        if (command.bytes() == 0) {
            context.returning().whenReturned(granted);
        } else if (context.ledger().claimNow(session.options().ledgerSlot(), command.bytes())) {
            context.ledger().whenRoomy(granted);
        } else {
            session.waiting().run(context, () -> claimLater(envelope, context, command, granted));
        }
    }

    private void claimLater(
            Envelope envelope, SessionContext context, Claim command, Runnable granted) {
        if (context.ledger().claim(session.options().ledgerSlot(), command.bytes())) {
            context.ledger().whenRoomy(granted);
        } else {
            session.reply(envelope, context, Result.ERROR_OUT_OF_MEMORY);
        }
    }

    /** Pages of freed memory are to go. Of what is there the client loses only its own. */
    @Override
    public void returnPages(Envelope envelope, ReturnPages command) {
        SessionContext context = session.context(envelope);
        context.checkRange(command.address(), command.bytes());
        long offset = context.offset(command.address());
        if (command.bytes() == 0 || offset % PAGE != 0 || command.bytes() % PAGE != 0) {
            throw new ProtocolViolation(
                    command.bytes()
                            + " bytes at 0x"
                            + Long.toHexString(command.address())
                            + " are no pages to give back");
        }
        context.returning().add(offset, command.bytes(), command.kept());
    }
}
