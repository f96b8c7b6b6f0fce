package facet.device.cpu.parts;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.Launch;
import facet.device.LoadedModule;
import facet.device.Memory;
import facet.device.Stream;
import facet.ptx.Link;
import facet.ptx.PtxException;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import java.util.List;
import java.util.Map;

/**
 * A device on which every launch of a kernel that can be rewritten is executed in parts.
 *
 * @param near what executes them
 */
public record PartedDevice(Device near, Parts parts) implements Device {

    @Override
    public Context createContext(ContextOptions options) {
        Context context = near.createContext(options);
        return Intercept.of(
                Context.class,
                context,
                Map.of(
                        "load", given -> load(context, (String) given[0]),
                        "link", given -> link(context, (List<?>) given[0]),
                        "createStream", given -> stream(context)));
    }

    /** What is no PTX the device refuses in its own words. */
    private LoadedModule load(Context context, String text) {
        Rewritten rewritten;
        try {
            rewritten = Rewrite.rewrite(text, parts.form());
        } catch (PtxException e) {
            return context.load(text);
        }
        return new PartedModule(context.load(rewritten.text()), rewritten);
    }

    private LoadedModule link(Context context, List<?> texts) {
        return load(context, Link.link(texts.stream().map(String.class::cast).toList()));
    }

    private Stream stream(Context context) {
        Stream stream = context.createStream();
        PartedLaunches launches = new PartedLaunches(context, stream, parts);
        return Intercept.of(
                Stream.class,
                stream,
                Map.of(
                        "launch",
                        given -> {
                            launches.launch((Launch) given[0]);
                            return null;
                        }));
    }

    @Override
    public DeviceProfile profile() {
        return near.profile();
    }

    @Override
    public boolean sharesMemory() {
        return near.sharesMemory();
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return near.createMemory(name, bytes);
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return near.attributes(seen, ordinal, count);
    }

    @Override
    public void trim() {
        near.trim();
    }

    @Override
    public void bill(long nanos) {
        near.bill(nanos);
    }

    @Override
    public void close() {
        near.close();
    }
}
