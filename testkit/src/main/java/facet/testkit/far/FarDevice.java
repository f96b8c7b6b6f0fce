package facet.testkit.far;

import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.Memory;

/** A device whose memory cannot be mapped. */
record FarDevice(Device near) implements Device {
    @Override
    public boolean sharesMemory() {
        return false;
    }

    @Override
    public Memory createMemory(String name, long bytes) {
        return new FarMemory(near.createMemory(name, bytes));
    }

    @Override
    public Context createContext(ContextOptions options) {
        AddressSpace space = options.space();
        if (space == null) {
            return near.createContext(options);
        }
        Memory memory = ((FarMemory) space.memory()).near();
        return near.createContext(
                options.withSpace(
                        new AddressSpace(space.base(), space.own(), memory, space.owner())));
    }

    @Override
    public DeviceProfile profile() {
        return near.profile();
    }

    @Override
    public int[] attributes(DeviceProfile seen, int ordinal, int count) {
        return FarDevices.without(near.attributes(seen, ordinal, count));
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
