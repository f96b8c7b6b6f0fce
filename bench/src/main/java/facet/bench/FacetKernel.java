package facet.bench;

import facet.bench.Workload.Data;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Launch;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A workload on a software GPU of so many cores, its data resident. */
final class FacetKernel implements AutoCloseable {
    static final long MEMORY = 256L << 20;

    private final Device device;
    private final Context context;
    private final Stream stream;
    private final Launch launch;
    private final long output;

    FacetKernel(Workload workload, Data data, String ptx, int cores) {
        this(workload, data, ptx, cores, device -> device);
    }

    /**
     * @param dressed the device as the kernel is to see it
     */
    FacetKernel(
            Workload workload, Data data, String ptx, int cores, UnaryOperator<Device> dressed) {
        device = dressed.apply(device(cores));
        context = device.createContext(ContextOptions.of("bench", MEMORY));
        stream = context.createStream();
        List<Object> arguments = new ArrayList<>(workload.scalars());
        data.inputs().forEach(input -> arguments.add(copy(input)));
        output = copy(data.output());
        arguments.add(output);
        launch =
                Launch.of(
                        context.load(ptx).kernel(workload.name()),
                        workload.grid(),
                        workload.block(),
                        arguments.toArray());
        stream.synchronize();
    }

    static CpuDevice device(int cores) {
        return CpuDevice.create(CpuDevice.profile("Facet benchmark", 2 * MEMORY, cores), cores);
    }

    private long copy(MemorySegment source) {
        long address = context.allocate(source.byteSize());
        stream.copyToDevice(address, source);
        return address;
    }

    /** Milliseconds from the launch to its end. */
    double launch() {
        long start = System.nanoTime();
        stream.launch(launch);
        stream.synchronize();
        return (System.nanoTime() - start) / 1e6;
    }

    MemorySegment output(int count) {
        MemorySegment result = MemorySegment.ofArray(new int[count]);
        stream.copyFromDevice(result, output);
        stream.synchronize();
        return result;
    }

    /** Launches at least so often and at least so long. */
    void warmUp(int launches, double milliseconds) {
        double total = 0;
        for (int i = 0; i < launches || total < milliseconds; i++) {
            total += launch();
        }
    }

    /**
     * Times of so many launches; of fewer, but three, when they take more than the milliseconds.
     */
    List<Double> times(int launches, double milliseconds) {
        List<Double> times = new ArrayList<>();
        double total = 0;
        while (times.size() < launches && (times.size() < 3 || total < milliseconds)) {
            times.add(launch());
            total += times.getLast();
        }
        return times;
    }

    @Override
    public void close() {
        context.close();
        device.close();
    }
}
