package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.Access;
import facet.device.AddressSpace;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Memory;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** A context whose memory somebody else owns and gives out. */
abstract class OwnedSpace {
    /** Where the client's part begins; the device's own lies below. */
    static final long BASE = 0x1234_0000_0000L;

    static final long OWN = 4 << 20;
    static final long ARENA = 4 << 20;

    final Device device = CpuDevice.create();
    final Memory memory = device.createMemory("test", 8 << 20);
    long heap;
    long blockMemory;
    long blockLimit = 64 << 20;
    boolean hasRoom = true;
    boolean roomIsComing;
    final Context context =
            device.createContext(
                    ContextOptions.of("given", 8 << 20)
                            .withFaults(line -> {})
                            .withSpace(new AddressSpace(BASE - OWN, OWN, memory, new Owner())));

    private final class Owner implements AddressSpace.Owner {
        @Override
        public boolean mayHaveHeap(long bytes) {
            if (roomIsComing) {
                throw new DeviceException(DeviceError.OUT_OF_MEMORY, "not yet");
            }
            if (hasRoom) {
                heap += bytes;
            }
            return hasRoom;
        }

        @Override
        public boolean mayHaveBlockMemory(long bytes, boolean needed) {
            synchronized (OwnedSpace.this) {
                boolean granted = bytes <= blockLimit - blockMemory;
                blockMemory += granted ? bytes : 0;
                return granted;
            }
        }

        @Override
        public void giveBlockMemory(long bytes) {
            synchronized (OwnedSpace.this) {
                blockMemory -= bytes;
            }
        }
    }

    MemorySegment segment() {
        return memory.mapping().orElseThrow().segment();
    }

    MemorySegment clients() {
        return segment().asSlice(OWN);
    }

    @AfterEach
    void close() {
        device.close();
        memory.close();
    }

    static DeviceError errorOf(org.junit.jupiter.api.function.Executable action) {
        return assertThrows(DeviceException.class, action).error();
    }

    /** One word at an address; its fault, if it has one. */
    Optional<DeviceError> touch(Kernel add, long address) {
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(1), address, 1, 1));
        return end(stream);
    }

    Optional<DeviceError> touch(Kernel add, long address, Access access) {
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(1), address, 1, 1), access);
        return end(stream);
    }

    private static Optional<DeviceError> end(Stream stream) {
        try {
            stream.synchronize();
        } catch (DeviceException e) {
            return Optional.of(e.error());
        }
        return Optional.empty();
    }
}
