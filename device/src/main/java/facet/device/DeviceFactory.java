package facet.device;

/** One kind of devices. A main names it; everybody else knows devices by their port. Any thread. */
public interface DeviceFactory {
    /**
     * What a device of this kind and size is.
     *
     * @param memory in bytes
     * @param seats pieces of work that it does at once
     */
    DeviceProfile profile(String name, long memory, int seats);

    /** One that does what comes first. */
    Device create(DeviceProfile profile, int seats);

    /**
     * @param arbiter decides whose work is done next
     */
    Device create(DeviceProfile profile, int seats, Arbiter arbiter);

    /** As {@link Device#sharesMemory}, for one that need not be there. */
    boolean sharesMemory();

    /** As {@link Device#attributes}, for one that need not be there. */
    int[] attributes(DeviceProfile seen, int ordinal, int count);

    /**
     * PTX with a little of everything, to be loaded and run before programs come. Its entry {@code
     * warm} takes an address of floats, one for each thread, and how often it goes over them.
     */
    String warmUp();
}
