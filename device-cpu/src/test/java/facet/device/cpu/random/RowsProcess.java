package facet.device.cpu.random;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A process of its own, told to run rows of threads as vectors from the first launch on. */
final class RowsProcess {
    private static final Logger LOG = Logger.getLogger("facet");

    private RowsProcess() {}

    public static void main(String[] arguments) {
        List<String> warnings = new CopyOnWriteArrayList<>();
        LOG.addHandler(new Collector(warnings));
        List<String> failures = new ArrayList<>();
        // Not closed: that would wait for a kernel that may never end.
        Device device = CpuDevice.create();
        failures.addAll(Trial.failures(device, RowGenerator::generate, 250));
        failures.addAll(Trial.failures(device, KernelGenerator::generate, 30));
        // The device goes on without vector code when that fails: here it is a failure.
        failures.addAll(warnings);
        failures.forEach(System.out::println);
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static final class Collector extends Handler {
        private final List<String> lines;

        Collector(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord entry) {
            Throwable thrown = entry.getThrown();
            String cause =
                    thrown == null ? "" : thrown.toString().lines().limit(5).toList().toString();
            lines.add(entry.getMessage() + " " + cause);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
