package facet.device;

import java.util.List;
import java.util.Optional;

/**
 * An address space with bounded memory and the modules loaded into it. A fault of one of its
 * kernels makes it unusable ({@link #fault}) and touches no other context.
 */
public interface Context extends AutoCloseable {
    /** Device address of new zeroed memory, 256-byte aligned. */
    long allocate(long bytes);

    /** Takes the memory at an address of the client's choice; zeroed when it was never used. */
    void allocateAt(long address, long bytes);

    /** Releases once everything submitted so far to this context has ended. */
    void free(long address);

    /** Releases at once: the caller knows that nothing uses it any more. */
    void release(long address);

    /** What kernels launched now may access of it: from the lowest to the highest byte taken. */
    Window reachable();

    /**
     * What kernels that are launched from now on, and copies and fills, may access beside this
     * context's memory: memory of others, and what is mapped at addresses of the program's choice.
     * Whoever says so sees to it that the memory is there until those have ended. What a copy or
     * fill names must be all in one of them; where it may not write is {@link
     * DeviceError#ILLEGAL_ADDRESS}.
     *
     * @param readable what may be read
     * @param writable of that, what may be written
     */
    void reach(List<Window> readable, List<Window> writable);

    /**
     * What a kernel launched now may access: of this context's memory, and of others. Memory that
     * is released afterwards it may still access.
     */
    Access access();

    /** Bytes allocated, module variables and heap included. */
    long used();

    /**
     * How much kernels may have in all with their own malloc. Throws {@link
     * DeviceError#INVALID_VALUE} when kernels that use it were launched before.
     */
    void heap(long bytes);

    /**
     * How many launches that kernels have made may be under way at once; no more than the device
     * can have.
     */
    void pendingLaunches(long most);

    LoadedModule load(String ptx);

    /** Loads several texts as one: what one of them declares extern another one defines. */
    LoadedModule link(List<String> texts);

    /**
     * Makes a texture or surface of the caller's number, for kernels that are launched from now on.
     * Throws {@link DeviceError#INVALID_VALUE} when the number is 0 or taken. Of a number the
     * lowest 20 bits are its place, which it has for itself.
     */
    void createTexture(long handle, TextureDescription description);

    /** Kernels that were launched before may still read it. */
    void destroyTexture(long handle);

    Stream createStream();

    Event createEvent();

    /** Waits until all streams are idle; throws when the context has a fault. */
    void synchronize();

    /** The error that ended this context. */
    Optional<DeviceException> fault();

    /**
     * Halts running kernels at the next block boundary or loop back-edge and keeps new ones back.
     */
    void pause();

    void resume();

    /** Ends everything that runs or waits with {@link DeviceError#LAUNCH_TIMEOUT}. */
    void stop();

    /** Time that kernels of this context occupied workers, in nanoseconds. */
    long deviceNanos();

    @Override
    void close();
}
