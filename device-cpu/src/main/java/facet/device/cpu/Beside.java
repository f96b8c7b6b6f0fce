package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Window;
import facet.jit.runtime.PeerWindows;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What a context may access beside its own memory. Immutable. */
final class Beside {
    static final Beside NOTHING = new Beside(List.of(), List.of());

    private final List<Window> readable;
    private final List<Window> writable;
    private final PeerWindows windows;

    Beside(List<Window> readable, List<Window> writable) {
        this.readable = readable;
        this.writable = writable;
        windows = PeerWindows.of(forKernels(readable), forKernels(writable));
    }

    private static List<PeerWindows.Window> forKernels(List<Window> all) {
        return all.stream()
                .map(each ->
                        new PeerWindows.Window(
                                each.address(),
                                each.memory().byteSize(),
                                each.memory().address() - each.address()))
                .toList();
    }

    /** As kernels look for it. */
    PeerWindows windows() {
        return windows;
    }

    /** The bytes at an address outside of the context's memory. */
    MemorySegment bytes(long address, long bytes, boolean writes) {
        for (Window each : writes ? writable : readable) {
            long offset = address - each.address();
            long size = each.memory().byteSize();
            if (bytes >= 0 && offset >= 0 && bytes <= size && offset <= size - bytes) {
                return each.memory().asSlice(offset, bytes);
            }
        }
        throw new DeviceException(
                DeviceError.ILLEGAL_ADDRESS,
                bytes
                        + " bytes at 0x"
                        + Long.toHexString(address)
                        + " are not for this context to "
                        + (writes ? "write" : "read"));
    }
}
