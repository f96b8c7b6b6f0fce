package facet.device.nvidia;

import facet.device.Arbiter;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.nvidia.foreign.Driver;
import facet.device.nvidia.foreign.EnvironmentUnsafe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens devices in this process. */
final class OpenedDevices {
    private static final long IDLE_SECONDS = 2;

    private OpenedDevices() {}

    static List<Device> of(
            VendorSettings settings,
            List<String> ids,
            int multiprocessors,
            List<Arbiter> arbiters) {
        settings.apply();
        // The driver of this process sees these and no others; it looks at it once, when it begins.
        EnvironmentUnsafe.set(DiscoveryMain.VISIBLE, String.join(",", ids));
        Driver driver = Driver.open(settings.libraries());
        ExecutorService threads = threads();
        Printing printing = new Printing();
        List<NvidiaDevice> all = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            all.add(
                    new NvidiaDevice(
                            driver,
                            handle(driver, ids.get(i)),
                            multiprocessors,
                            arbiters.isEmpty() ? null : arbiters.get(i),
                            threads,
                            printing));
        }
        all.forEach(each -> each.neighbours(all));
        return List.copyOf(all);
    }

    private static int handle(Driver driver, String id) {
        String wanted = DiscoveryMain.digits(id);
        for (int i = 0; i < driver.devices(); i++) {
            int device = driver.device(i);
            if (driver.uuid(device).equals(wanted)) {
                return device;
            }
        }
        throw new DeviceException(
                DeviceError.NO_DEVICE,
                "device "
                        + id
                        + " is not there any more, or not beside the others (of instances by MIG a"
                        + " process sees one)");
    }

    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task ->
                        Thread.ofPlatform()
                                .daemon()
                                .name("facet-vendor-" + number.incrementAndGet())
                                .unstarted(task));
    }
}
