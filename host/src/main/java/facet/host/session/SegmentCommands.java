package facet.host.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentHandler;
import facet.abi.SegmentMap;
import facet.abi.SegmentOpen;
import facet.abi.SegmentRelease;
import facet.abi.SegmentShare;
import facet.abi.SegmentUnmap;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.PhysicalMemory;
import facet.host.share.Segment;
import facet.host.share.Shares;
import facet.host.share.Storage;
import facet.host.share.Token;
import java.util.List;
import java.util.Optional;

/** Memory that is mapped at addresses of the program's choice, also by other sessions. */
final class SegmentCommands implements SegmentHandler {
    private static final int READS = 1;
    private static final int WRITES = 2;
    private static final long PAGE = 4096;

    /** Of an allocation, which the device maps where it has the same place in its granule. */
    private static final long ALIGNMENT = 256;

    private final Session session;
    private final SessionSegments segments;

    SegmentCommands(Session session) {
        this.session = session;
        segments = session.segments();
    }

    // ---- made and opened

    @Override
    public void segmentCreate(Envelope envelope, SegmentCreate command) {
        int index = command.device();
        if (index < 0 || index >= session.devices().size()) {
            session.reply(envelope, Result.ERROR_INVALID_DEVICE);
            return;
        }
        Device device = session.devices().get(index);
        if (!device.sharesMemory() && !device.placesMemory()) {
            session.reply(envelope, Result.ERROR_NOT_SUPPORTED);
            return;
        }
        if (command.bytes() <= 0 || command.bytes() % Shares.GRANULE != 0) {
            session.reply(envelope, Result.ERROR_INVALID_VALUE);
            return;
        }
        segments.checkFree(command.segment());
        if (isFull(envelope)) {
            return;
        }
        if (session.ledger(index).takeNow(segments.slot(), command.bytes())) {
            create(envelope, command);
        } else {
            segments.elsewhere(() -> {
                if (session.ledger(index).take(segments.slot(), command.bytes())) {
                    create(envelope, command);
                } else {
                    session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
                }
            });
        }
    }

    /** Whether there is no room for one more, which the client is told. */
    private boolean isFull(Envelope envelope) {
        boolean full = !segments.hasRoom();
        if (full) {
            session.log("its slice has too many segments, mappings and other objects");
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
        }
        return full;
    }

    /** It is paid for. Any thread. */
    private void create(Envelope envelope, SegmentCreate command) {
        int index = command.device();
        Device device = session.devices().get(index);
        Segment made;
        try {
            made =
                    segments.shares()
                            .create(
                                    device,
                                    index,
                                    session.residency().devices().get(index),
                                    session.options().slice(),
                                    command.bytes(),
                                    segments);
        } catch (DeviceException e) {
            session.log("no memory to be mapped: " + e.getMessage());
            session.ledger(index).give(segments.slot(), command.bytes());
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        segments.begin();
        made.storage()
                .whenThere(there ->
                        segments.onOwnThread(() -> {
                            if (there) {
                                segments.put(command.segment(), made);
                                session.reply(envelope, Result.SUCCESS);
                            } else {
                                made.drop(segments);
                                session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
                            }
                        }));
    }

    /** Tells the name of a segment, or makes one of an allocation. */
    @Override
    public void segmentShare(Envelope envelope, SegmentShare command) {
        if (command.address() == 0) {
            Segment segment = segments.get(command.segment());
            if (segment == null || segment.isAllocation()) {
                session.reply(envelope, Result.ERROR_INVALID_VALUE);
            } else {
                tell(envelope, segment);
            }
            return;
        }
        SessionContext context = session.context(envelope);
        Allocations.Allocation allocation = context.allocations().at(command.address());
        if (allocation == null || allocation.kind() != Constants.MEMORY_DEVICE) {
            session.reply(envelope, context, Result.ERROR_INVALID_VALUE);
            return;
        }
        boolean placed = session.devices().get(context.ledger().device()).placesMemory();
        if (!context.memory().isMapped() && !placed) {
            session.reply(envelope, context, Result.ERROR_NOT_SUPPORTED);
            return;
        }
        segments.checkFree(command.segment());
        if (!isFull(envelope)) {
            share(envelope, context, allocation, command.segment());
        }
    }

    /** Others will touch it, and nobody knows when: it stays on the device. */
    private void share(
            Envelope envelope,
            SessionContext context,
            Allocations.Allocation allocation,
            int number) {
        boolean there =
                context.holding()
                        .stay(possible -> {
                            if (possible) {
                                share(envelope, context, allocation, number);
                            } else {
                                session.reply(envelope, context, Result.ERROR_OUT_OF_MEMORY);
                            }
                        });
        if (!there) {
            return;
        }
        // Held against the end of the context, which looks for what others have open.
        synchronized (context) {
            Segment known = context.allocations().opened(allocation.address());
            if (known != null) {
                tell(envelope, known);
                return;
            }
            if (context.isClosing() || context.allocations().at(allocation.address()) == null) {
                session.reply(envelope, context, Result.ERROR_INVALID_VALUE);
                return;
            }
            Storage storage = new AllocationStorage(context, allocation);
            Segment made =
                    segments.shares()
                            .ofAllocation(
                                    context.ledger().device(),
                                    allocation.bytes(),
                                    storage,
                                    segments);
            if (!context.allocations().open(allocation.address(), made)) {
                made.drop(segments);
                session.reply(envelope, context, Result.ERROR_INVALID_VALUE);
                return;
            }
            segments.put(number, made);
            tell(envelope, made);
        }
    }

    private void tell(Envelope envelope, Segment segment) {
        session.reply(envelope, Result.SUCCESS, segment.token().high(), segment.token().low());
    }

    /** Names of other slices mean nothing here. */
    @Override
    public void segmentOpen(Envelope envelope, SegmentOpen command) {
        segments.checkFree(command.segment());
        if (isFull(envelope)) {
            return;
        }
        Optional<Segment> found =
                segments.shares().open(new Token(command.high(), command.low()), segments);
        if (found.isEmpty()) {
            session.reply(envelope, Result.ERROR_INVALID_HANDLE);
            return;
        }
        Segment segment = found.get();
        boolean wanted = segment.isAllocation() == (command.allocation() != 0);
        if (!wanted || segment.isAllocation() && segment.isOf(segments)) {
            segment.drop(segments);
            session.reply(
                    envelope, wanted ? Result.ERROR_INVALID_CONTEXT : Result.ERROR_INVALID_HANDLE);
            return;
        }
        segments.put(command.segment(), segment);
        session.reply(envelope, Result.SUCCESS, segment.bytes(), segment.device());
    }

    @Override
    public void segmentRelease(Envelope envelope, SegmentRelease command) {
        Segment segment = segments.get(command.segment());
        if (segment == null) {
            session.reply(envelope, Result.ERROR_INVALID_VALUE);
            return;
        }
        segments.elsewhere(() -> {
            if (command.alone() == 0) {
                if (segments.remove(command.segment()) != null) {
                    segment.drop(segments);
                }
                session.reply(envelope, Result.SUCCESS);
            } else if (segment.dropIfAlone(segments)) {
                segments.remove(command.segment());
                session.reply(envelope, Result.SUCCESS);
            } else {
                session.reply(envelope, Result.ERROR_NOT_READY);
            }
        });
    }

    // ---- mapped

    @Override
    public void segmentMap(Envelope envelope, SegmentMap command) {
        if (isFull(envelope)) {
            return;
        }
        Segment segment = segments.get(command.segment());
        if (segment == null || !isPossible(command, segment) || !segment.hold(segments)) {
            session.reply(envelope, Result.ERROR_INVALID_VALUE);
            return;
        }
        PhysicalMemory physical = segment.storage().physical().orElse(null);
        try {
            segments.map(
                    new Mapping(
                            command.address(),
                            command.bytes(),
                            segment,
                            command.offset(),
                            physical == null
                                    ? null
                                    : physical.map(
                                            command.address(), command.offset(), command.bytes()),
                            0,
                            0));
        } catch (DeviceException e) {
            segment.drop(segments);
            session.log("memory cannot be mapped: " + e.getMessage());
            session.reply(envelope, e.error().code());
            return;
        }
        session.reply(envelope, Result.SUCCESS);
    }

    private boolean isPossible(SegmentMap command, Segment segment) {
        boolean placed = segment.storage().physical().isPresent();
        long alignment = segment.isAllocation() && placed ? ALIGNMENT : PAGE;
        return !(segment.isAllocation() && segment.isOf(segments))
                && segments.mappings().isFree(command.address(), command.bytes(), alignment)
                && command.offset() >= 0
                && command.offset() % Shares.GRANULE == 0
                && command.bytes() <= segment.bytes()
                && command.offset() <= segment.bytes() - command.bytes()
                && (segment.isAllocation() || command.bytes() % Shares.GRANULE == 0);
    }

    @Override
    public void segmentAccess(Envelope envelope, SegmentAccess command) {
        List<Mapping> found = segments.mappings().exactly(command.address(), command.bytes());
        int access = command.access();
        boolean possible =
                !found.isEmpty()
                        && command.device() >= 0
                        && command.device() < session.devices().size()
                        && (access & ~(READS | WRITES)) == 0
                        && access != WRITES;
        if (possible && !permit(envelope, found, command)) {
            return;
        }
        if (possible) {
            segments.mappings()
                    .replace(
                            found,
                            each ->
                                    each.with(
                                            command.device(),
                                            (access & READS) != 0,
                                            (access & WRITES) != 0));
        }
        session.reply(envelope, possible ? Result.SUCCESS : Result.ERROR_INVALID_VALUE);
    }

    /** Whether devices that map memory themselves agree; else the client is told. */
    private boolean permit(Envelope envelope, List<Mapping> found, SegmentAccess command) {
        Device device = session.devices().get(command.device());
        try {
            for (Mapping each : found) {
                if (!device.reaches(session.devices().get(each.segment().device()))) {
                    session.reply(envelope, Result.ERROR_PEER_ACCESS_UNSUPPORTED);
                    return false;
                }
                if (each.place() != null) {
                    each.place()
                            .permit(
                                    device,
                                    (command.access() & READS) != 0,
                                    (command.access() & WRITES) != 0);
                }
            }
            return true;
        } catch (DeviceException e) {
            session.log("no access to mapped memory: " + e.getMessage());
            session.reply(envelope, e.error().code());
            return false;
        }
    }

    @Override
    public void segmentUnmap(Envelope envelope, SegmentUnmap command) {
        List<Mapping> found = segments.mappings().exactly(command.address(), command.bytes());
        if (found.isEmpty()) {
            session.reply(envelope, Result.ERROR_INVALID_VALUE);
        } else {
            segments.unmap(found, () -> session.reply(envelope, Result.SUCCESS));
        }
    }
}
