package facet.doors.metrics;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metrics whose values come from the figures, one line each. */
final class Table {
    private static final double NANOS = 1e9;
    private static final String SLICE = "slice";
    private static final String DEVICE = "device";
    private static final String NODE = "node";

    private final PrometheusRegistry registry;
    private final Supplier<Figures> figures;

    /** Takes a value with the labels of its metric. */
    private interface Sink {
        void put(double value, String... labels);

        /** Beyond 2^53 not to the last byte. */
        default void put(long value, String... labels) {
            put((double) value, labels);
        }
    }

    /** Finds the values. */
    private interface Values {
        void of(Figures figures, Sink sink);
    }

    /**
     * @param figures those of the scrape that is under way
     */
    Table(PrometheusRegistry registry, Supplier<Figures> figures) {
        this.registry = registry;
        this.figures = figures;
    }

    private interface OfDevice {
        void put(Figures.OfDevice device, Sink sink);
    }

    private interface OfSlice {
        void put(Figures.OfSlice slice, Sink sink);
    }

    private static Values devices(OfDevice one) {
        return (figures, sink) -> figures.devices().forEach(each -> one.put(each, sink));
    }

    private static Values slices(OfSlice one) {
        return (figures, sink) -> figures.slices().forEach(each -> one.put(each, sink));
    }

    void fill() {
        devices();
        slices();
        links();
        gauge(
                "facet_slices",
                null,
                "Slices that are there.",
                (all, sink) -> sink.put(all.slices().size()));
        counter(
                "facet_events",
                null,
                "Events since the daemon has started, by kind.",
                (all, sink) -> all.events().forEach((kind, count) -> sink.put(count, kind)),
                "kind");
    }

    /** Label of one of a slice's devices. */
    private static String device(Figures.OfSlice slice, int index) {
        return slice.devices().get(index);
    }

    private void devices() {
        gauge(
                "facet_device_multiprocessors",
                null,
                "Seconds of device time that the device has in a second.",
                devices((each, sink) -> sink.put(each.multiprocessors(), each.device())),
                DEVICE);
        counter(
                "facet_device_time",
                Unit.SECONDS,
                "Device time that was used, in all.",
                devices((each, sink) -> sink.put(each.deviceNanos() / NANOS, each.device())),
                DEVICE);
        gauge(
                "facet_device_memory",
                Unit.BYTES,
                "Memory that the device has.",
                devices((each, sink) -> sink.put(each.memory(), each.device())),
                DEVICE);
        gauge(
                "facet_device_memory_used",
                Unit.BYTES,
                "Memory that programs have allocated.",
                devices((each, sink) -> sink.put(each.used(), each.device())),
                DEVICE);
        gauge(
                "facet_device_memory_resident",
                Unit.BYTES,
                "Memory that programs have allocated and that is on the device.",
                devices((each, sink) -> sink.put(each.resident(), each.device())),
                DEVICE);
        gauge(
                "facet_device_memory_moved_out",
                Unit.BYTES,
                "Memory that programs have allocated and that is in host memory to make room.",
                devices((each, sink) -> sink.put(each.movedOut(), each.device())),
                DEVICE);
        counter(
                "facet_device_moves",
                null,
                "Allocations that have moved to host memory or back.",
                devices((each, sink) -> sink.put(each.moves(), each.device())),
                DEVICE);
        counter(
                "facet_device_moved",
                Unit.BYTES,
                "Bytes of allocations that have moved to host memory or back.",
                devices((each, sink) -> sink.put(each.movedBytes(), each.device())),
                DEVICE);
    }

    private void slices() {
        gauge(
                "facet_slice_compute_promised",
                Unit.RATIO,
                "Part of its devices' time that the slice is promised now, 0 to 1.",
                slices((each, sink) -> sink.put(each.promised() / 100.0, each.name())),
                SLICE);
        counter(
                "facet_slice_device_time",
                Unit.SECONDS,
                "Device time that the slice had.",
                slices((each, sink) -> {
                    for (int i = 0; i < each.deviceNanos().length; i++) {
                        sink.put(each.deviceNanos()[i] / NANOS, each.name(), device(each, i));
                    }
                }),
                SLICE,
                DEVICE);
        counter(
                "facet_slice_waiting",
                Unit.SECONDS,
                "Time in which the slice had work and not its turn, summed over its devices.",
                slices((each, sink) ->
                        each.waitNanos().ifPresent(value -> sink.put(value / NANOS, each.name()))),
                SLICE);
        gauge(
                "facet_slice_memory_limit",
                Unit.BYTES,
                "Memory that programs of the slice may have together, on each device.",
                slices((each, sink) -> sink.put(each.memory(), each.name())),
                SLICE);
        gauge(
                "facet_slice_memory_used",
                Unit.BYTES,
                "Memory that programs of the slice have allocated.",
                slices((each, sink) -> {
                    for (int i = 0; i < each.memoryUsed().length; i++) {
                        sink.put(each.memoryUsed()[i], each.name(), device(each, i));
                    }
                }),
                SLICE,
                DEVICE);
        gauge(
                "facet_slice_memory_resident",
                Unit.BYTES,
                "Memory that programs of the slice have allocated and that is on a device.",
                slices((each, sink) ->
                        each.memoryResident().ifPresent(value -> sink.put(value, each.name()))),
                SLICE);
        gauge(
                "facet_slice_sessions",
                null,
                "Programs that use the slice.",
                slices((each, sink) -> sink.put(each.sessions(), each.name())),
                SLICE);
        counter(
                "facet_slice_launches",
                null,
                "Kernels that programs of the slice have launched.",
                slices((each, sink) -> sink.put(each.launches(), each.name())),
                SLICE);
        counter(
                "facet_slice_faults",
                null,
                "Errors of programs that have ended their context or their session.",
                slices((each, sink) -> sink.put(each.faults(), each.name())),
                SLICE);
        counter(
                "facet_slice_unsupported",
                null,
                "Calls and instructions that programs of the slice asked for and did not get.",
                slices((each, sink) ->
                        each.unsupported()
                                .forEach(what ->
                                        sink.put(
                                                what.count(),
                                                each.name(),
                                                what.kind(),
                                                what.name()))),
                SLICE,
                "kind",
                "name");
    }

    private interface OfLink {
        double of(Figures.OfLink link);
    }

    private static Values links(OfLink one) {
        return (figures, sink) ->
                figures.links().forEach(each -> sink.put(one.of(each), each.node()));
    }

    /** By node of the pool. */
    private void links() {
        gauge(
                "facet_pool_connected",
                null,
                "Whether the node can be reached: 1, or 0.",
                links(each -> each.connected() ? 1 : 0),
                NODE);
        gauge(
                "facet_pool_round_trip",
                Unit.SECONDS,
                "Time of the way to the node and back.",
                links(Figures.OfLink::roundTripSeconds),
                NODE);
        gauge(
                "facet_pool_sessions",
                null,
                "Programs of this node that use devices of the node.",
                links(Figures.OfLink::sessions),
                NODE);
        counter(
                "facet_pool_round_trips",
                null,
                "Answers of the node that programs have waited for.",
                links(Figures.OfLink::roundTrips),
                NODE);
        counter(
                "facet_pool_sent",
                Unit.BYTES,
                "Bytes of messages that sessions have sent to the node.",
                links(Figures.OfLink::sent),
                NODE);
        counter(
                "facet_pool_received",
                Unit.BYTES,
                "Bytes of messages that sessions have received from the node.",
                links(Figures.OfLink::received),
                NODE);
        counter(
                "facet_pool_resumes",
                null,
                "Connections to the node that were cut and went on.",
                links(Figures.OfLink::resumes),
                NODE);
        counter(
                "facet_pool_sent_again",
                Unit.BYTES,
                "Bytes that travelled once more because connections were cut.",
                links(Figures.OfLink::sentAgain),
                NODE);
    }

    private void gauge(
            String name, @Nullable Unit unit, String help, Values values, String... labels) {
        GaugeWithCallback.Builder builder =
                GaugeWithCallback.builder().name(name).help(help).labelNames(labels);
        if (unit != null) {
            builder.unit(unit);
        }
        builder.callback(callback -> values.of(figures.get(), callback::call)).register(registry);
    }

    /** The format puts {@code _total} behind the name. */
    private void counter(
            String name, @Nullable Unit unit, String help, Values values, String... labels) {
        CounterWithCallback.Builder builder =
                CounterWithCallback.builder().name(name).help(help).labelNames(labels);
        if (unit != null) {
            builder.unit(unit);
        }
        builder.callback(callback -> values.of(figures.get(), callback::call)).register(registry);
    }
}
