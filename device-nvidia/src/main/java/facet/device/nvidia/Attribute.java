package facet.device.nvidia;

import facet.device.DeviceProfile;
import java.util.List;

/** The numbers of cuDeviceGetAttribute by which a profile is made. */
enum Attribute {
    MAX_THREADS_PER_BLOCK(1),
    SHARED_PER_BLOCK(8),
    CONSTANT_MEMORY(9),
    REGISTERS_PER_BLOCK(12),
    CLOCK(13),
    TEXTURE_ALIGNMENT(14),
    MULTIPROCESSORS(16),
    MEMORY_CLOCK(36),
    BUS_WIDTH(37),
    L2(38),
    MAX_THREADS_PER_MULTIPROCESSOR(39),
    TEXTURE_PITCH_ALIGNMENT(51),
    MAJOR(75),
    MINOR(76),
    SHARED_PER_MULTIPROCESSOR(81),
    REGISTERS_PER_MULTIPROCESSOR(82),
    HOST_NATIVE_ATOMICS(86),
    CONCURRENT_MANAGED_ACCESS(89),
    SHARED_PER_BLOCK_OPTIN(97),
    DIRECT_MANAGED_ACCESS(101),
    VIRTUAL_MEMORY(102),
    FILE_DESCRIPTORS(103),
    MAX_BLOCKS_PER_MULTIPROCESSOR(106),
    POOL_HANDLES(119);

    /** Higher than any that is known. */
    static final int COUNT = 192;

    private final int number;

    Attribute(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    int of(List<Integer> all) {
        return number < all.size() ? all.get(number) : 0;
    }

    static DeviceProfile profile(String name, long memory, List<Integer> all) {
        return new DeviceProfile(
                name,
                MAJOR.of(all),
                MINOR.of(all),
                memory,
                MULTIPROCESSORS.of(all),
                CLOCK.of(all),
                MAX_THREADS_PER_BLOCK.of(all),
                MAX_THREADS_PER_MULTIPROCESSOR.of(all),
                MAX_BLOCKS_PER_MULTIPROCESSOR.of(all),
                SHARED_PER_BLOCK.of(all),
                SHARED_PER_BLOCK_OPTIN.of(all),
                SHARED_PER_MULTIPROCESSOR.of(all),
                REGISTERS_PER_BLOCK.of(all),
                REGISTERS_PER_MULTIPROCESSOR.of(all),
                CONSTANT_MEMORY.of(all),
                L2.of(all),
                MEMORY_CLOCK.of(all),
                BUS_WIDTH.of(all));
    }

    /**
     * What programs are told: the memory of the device is in another process, where nobody can map
     * it; and of its multiprocessors they may have a part.
     */
    static int[] shown(DeviceProfile seen, List<Integer> all, int count) {
        int[] shown = new int[count];
        for (int i = 0; i < Math.min(count, all.size()); i++) {
            shown[i] = all.get(i);
        }
        for (Attribute each :
                List.of(
                        HOST_NATIVE_ATOMICS,
                        CONCURRENT_MANAGED_ACCESS,
                        DIRECT_MANAGED_ACCESS,
                        VIRTUAL_MEMORY,
                        FILE_DESCRIPTORS,
                        POOL_HANDLES)) {
            shown[each.number] = 0;
        }
        shown[MULTIPROCESSORS.number] = seen.multiprocessors();
        return shown;
    }
}
