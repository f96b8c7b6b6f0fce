package facet.host.mirror;

import facet.device.Access;
import facet.device.Context;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A context on a device whose memory its program cannot map. */
public final class MirroredContext implements Context {
    private final Context device;
    private final Mirror mirror;
    private final long base;

    /** Of other contexts of the program, whose pinned and managed memory kernels reach too. */
    private volatile List<Mirror> besides = List.of();

    /**
     * @param base device address of the memory's first byte
     */
    public MirroredContext(Context device, Mirror mirror, long base) {
        this.device = device;
        this.mirror = mirror;
        this.base = base;
    }

    @Override
    public Stream createStream() {
        return new MirroredStream(this, device.createStream(), mirror, base);
    }

    /** What the program can see in these is made alike around kernels of this context, too. */
    public void beside(List<Context> others) {
        besides =
                others.stream()
                        .filter(MirroredContext.class::isInstance)
                        .map(each -> ((MirroredContext) each).mirror)
                        .toList();
    }

    /** What kernels that are launched now may touch of what the program sees. */
    List<Mirror> touched() {
        List<Mirror> found = new ArrayList<>();
        if (mirror.hasShared()) {
            found.add(mirror);
        }
        for (Mirror each : besides) {
            if (each.hasShared()) {
                found.add(each);
            }
        }
        return found;
    }

    // ---- as the device has it

    @Override
    public long allocate(long bytes) {
        return device.allocate(bytes);
    }

    @Override
    public void allocateAt(long address, long bytes) {
        device.allocateAt(address, bytes);
    }

    @Override
    public void free(long address) {
        device.free(address);
    }

    @Override
    public void release(long address) {
        device.release(address);
    }

    @Override
    public Window reachable() {
        return device.reachable();
    }

    @Override
    public void reach(List<Window> readable, List<Window> writable) {
        device.reach(readable, writable);
    }

    @Override
    public Access access() {
        return device.access();
    }

    @Override
    public long used() {
        return device.used();
    }

    @Override
    public void heap(long bytes) {
        device.heap(bytes);
    }

    @Override
    public void pendingLaunches(long most) {
        device.pendingLaunches(most);
    }

    @Override
    public LoadedModule load(String ptx) {
        return device.load(ptx);
    }

    @Override
    public LoadedModule link(List<String> texts) {
        return device.link(texts);
    }

    @Override
    public void createTexture(long handle, TextureDescription description) {
        device.createTexture(handle, description);
    }

    @Override
    public void destroyTexture(long handle) {
        device.destroyTexture(handle);
    }

    @Override
    public Event createEvent() {
        return device.createEvent();
    }

    @Override
    public void synchronize() {
        device.synchronize();
    }

    @Override
    public Optional<DeviceException> fault() {
        return device.fault();
    }

    @Override
    public void pause() {
        device.pause();
    }

    @Override
    public void resume() {
        device.resume();
    }

    @Override
    public void stop() {
        device.stop();
    }

    @Override
    public long deviceNanos() {
        return device.deviceNanos();
    }

    @Override
    public void close() {
        device.close();
    }
}
