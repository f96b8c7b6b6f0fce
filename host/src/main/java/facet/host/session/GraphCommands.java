package facet.host.session;

import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CopyPeer;
import facet.abi.CopyPeerBox;
import facet.abi.Envelope;
import facet.abi.EventRecord;
import facet.abi.Fill;
import facet.abi.GraphCondition;
import facet.abi.GraphCreate;
import facet.abi.GraphDestroy;
import facet.abi.GraphHandler;
import facet.abi.GraphLaunch;
import facet.abi.HostFunction;
import facet.abi.Launch;
import facet.abi.LaunchClusters;
import facet.abi.MalformedCommand;
import facet.abi.RecordHeaderLayout;
import facet.abi.Result;
import facet.abi.StreamWaitEvent;
import facet.abi.Write;
import facet.host.residency.Reach;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Graphs: lists of commands that are kept and launched as one. A command of a graph is decoded and
 * checked as one from the ring; what it names by a number is looked up anew at each launch.
 */
final class GraphCommands implements GraphHandler {
    /** Heap that a step takes is counted as so many bytes an object. */
    private static final int BYTES_PER_OBJECT = 512;

    private static final int MOST_BODIES = 1 << 10;

    private final Session session;

    GraphCommands(Session session) {
        this.session = session;
    }

    @Override
    public void graphCreate(Envelope envelope, GraphCreate command) {
        SessionContext context = session.context(envelope);
        context.graphs().create(command.graph(), new SessionGraph(context.device()));
    }

    @Override
    public void graphDestroy(Envelope envelope, GraphDestroy command) {
        session.context(envelope).graphs().destroy(command.graph());
    }

    @Override
    public void graphStep(Envelope envelope, facet.abi.GraphStep command) {
        SessionContext context = session.context(envelope);
        SessionGraph graph = context.graphs().get(command.graph());
        byte[] bytes = command.command();
        // bounded: of an array that is there
        int objects = 1 + bytes.length / BYTES_PER_OBJECT;
        boolean launches = false;
        Supplier<Work> work = () -> GraphStep.NOTHING;
        if (bytes.length > 0) {
            try {
                if (bytes.length < RecordHeaderLayout.BYTES) {
                    throw new MalformedCommand("a step of a graph with " + bytes.length + " bytes");
                }
                MemorySegment record = MemorySegment.ofArray(bytes);
                int type = Envelope.type(record);
                launches = type == Launch.TYPE || type == LaunchClusters.TYPE;
                work = work(context, record);
            } catch (MalformedCommand e) {
                throw new ProtocolViolation("in a graph: " + e.getMessage());
            } catch (CheckedWork.Refused e) {
                session.log(String.valueOf(e.getMessage()));
                context.streams().latch(Result.ERROR_INVALID_VALUE);
            }
        }
        put(
                graph,
                command.block(),
                command.step(),
                new GraphStep(
                        command.lane(),
                        command.waits(),
                        InFlight.unitsOf(bytes.length),
                        objects,
                        launches ? 1 : 0,
                        work));
    }

    private void put(SessionGraph graph, int block, int index, GraphStep step) {
        graph.put(block, index, step);
        while (graph.counted() > graph.objects()) {
            graph.count(-1);
            session.tally().removeObjects(1);
        }
        while (graph.counted() < graph.objects()) {
            if (!session.tally().addObject()) {
                throw new ProtocolViolation(
                        "its slice has more than "
                                + session.tally().mostObjects()
                                + " streams, events, modules, allocations and steps of graphs");
            }
            graph.count(1);
        }
    }

    private Supplier<Work> work(SessionContext context, MemorySegment record)
            throws MalformedCommand {
        int type = Envelope.type(record);
        return switch (type) {
            case Launch.TYPE -> new GraphKernel(context, Launch.decode(record), null);
            case LaunchClusters.TYPE -> {
                LaunchClusters command = LaunchClusters.decode(record);
                yield new GraphKernel(
                        context, LaunchWork.plain(command), LaunchWork.clusterOf(command));
            }
            case Copy.TYPE -> kept(CopyWork.copy(context, Copy.decode(record)));
            case CopyBox.TYPE -> kept(CopyWork.copyBox(context, CopyBox.decode(record)));
            case Write.TYPE -> kept(CopyWork.write(context, Write.decode(record)));
            case Fill.TYPE -> kept(CopyWork.fill(context, Fill.decode(record)));
            case CopyPeer.TYPE -> {
                CopyPeer command = CopyPeer.decode(record);
                yield () -> PeerCopy.of(session, context, command);
            }
            case CopyPeerBox.TYPE -> {
                CopyPeerBox command = CopyPeerBox.decode(record);
                yield () ->
                        PeerCopy.of(session, context, command)
                                .<Work>map(copy -> copy)
                                .orElse(GraphStep.NOTHING);
            }
            case EventRecord.TYPE -> {
                EventRecord command = EventRecord.decode(record);
                yield new GraphRecord(context, command.event());
            }
            case StreamWaitEvent.TYPE -> {
                StreamWaitEvent command = StreamWaitEvent.decode(record);
                yield () -> {
                    SessionEvent event = context.events().get(command.event());
                    return stream -> stream.await(event.device());
                };
            }
            case HostFunction.TYPE -> {
                HostFunction command = HostFunction.decode(record);
                Work call =
                        stream -> session.hostFunctions().give(context, stream, command.token());
                yield () -> call;
            }
            default -> throw new MalformedCommand("a graph has no commands of type " + type);
        };
    }

    private static Supplier<Work> kept(CheckedWork checked) {
        return checked::work;
    }

    @Override
    public void graphCondition(Envelope envelope, GraphCondition command) {
        SessionContext context = session.context(envelope);
        SessionGraph graph = context.graphs().get(command.graph());
        context.checkRange(command.condition(), Integer.BYTES);
        byte[] bytes = command.bodies();
        int count = bytes.length / Integer.BYTES;
        boolean known = command.kind() >= GraphBranch.IF && command.kind() <= GraphBranch.SWITCH;
        if (!known
                || count == 0
                || count > MOST_BODIES
                || command.condition() % Integer.BYTES != 0) {
            throw new ProtocolViolation(
                    "a condition of kind " + command.kind() + " with " + count + " bodies");
        }
        int[] bodies = new int[count];
        MemorySegment numbers = MemorySegment.ofArray(bytes);
        for (int i = 0; i < count; i++) {
            bodies[i] = numbers.get(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES);
            // So that none is inside itself.
            if (bodies[i] <= command.block()) {
                throw new ProtocolViolation(
                        "a condition in block " + command.block() + " that chooses " + bodies[i]);
            }
        }
        GraphBranch branch =
                new GraphBranch(
                        session,
                        context,
                        command.condition(),
                        command.kind(),
                        command.assigns() != 0,
                        command.value(),
                        bodies);
        graph.add(branch);
        Work give = branch::give;
        put(
                graph,
                command.block(),
                command.step(),
                new GraphStep(command.lane(), command.waits(), 1, 1 + count / 8, 0, () -> give));
    }

    @Override
    public void graphLaunch(Envelope envelope, GraphLaunch command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        SessionGraph graph = context.graphs().get(command.graph());
        GraphRun run;
        try {
            run = graph.prepare();
        } catch (CheckedWork.Refused e) {
            session.log(String.valueOf(e.getMessage()));
            context.work().refuse(stream, Result.ERROR_INVALID_VALUE);
            return;
        }
        boolean othersAreThere = context.peers().prepare();
        for (SessionContext each : run.others()) {
            othersAreThere &= each.holding().stay(_ -> {});
        }
        boolean waits = graph.isHeld() || !run.missing().isEmpty();
        int units = graph.units() + context.peers().units();
        if (othersAreThere && !waits) {
            context.work().submit(stream, Reach.EVERYTHING, units, run);
        } else {
            context.work()
                    .hold(
                            stream,
                            Reach.EVERYTHING,
                            units,
                            run,
                            others(context, run),
                            waits
                                    ? told ->
                                            graph.behindHeld(
                                                    () -> make(context, run.missing(), 0, told))
                                    : null);
        }
        graph.recordedIn(stream);
        session.usage().launched(graph.kernels());
    }

    private static List<SessionContext> others(SessionContext context, GraphRun run) {
        Set<SessionContext> all = new LinkedHashSet<>(context.peers().enabled());
        all.addAll(run.others());
        return List.copyOf(all);
    }

    /**
     * Has kernels compiled, one after the other; the first that cannot be is told.
     *
     * @param from the first that may not be there; a graph has many launches of few kernels
     */
    private void make(
            SessionContext context,
            List<LaunchWork> missing,
            int from,
            Consumer<@Nullable Throwable> told) {
        int next = from;
        while (next < missing.size() && missing.get(next).isMade()) {
            next++;
        }
        if (next == missing.size()) {
            told.accept(null);
            return;
        }
        int behind = next + 1;
        missing.get(next)
                .make(
                        session,
                        context,
                        failure -> {
                            if (failure == null) {
                                make(context, missing, behind, told);
                            } else {
                                told.accept(failure);
                            }
                        });
    }
}
