package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.ptx.rewrite.TextureTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The table of a context in which its kernels find textures ({@link TextureTable}), on the device
 * and here. It is written while kernels run: what they look for was there before they began, and
 * stays until they have ended. With the lock of {@link NvidiaTextures}.
 */
final class TextureIndex {
    private static final int FIRST_PLACES = 64;

    private final NvidiaContext context;

    /** Variables of modules that hold its address. */
    private final Set<Long> pointers = new HashSet<>();

    /** Tables of before, which kernels may still look at. */
    private final List<Long> outgrown = new ArrayList<>();

    private ByteBuffer image = image(FIRST_PLACES);
    private int places = FIRST_PLACES;

    /** Places that were ever taken. */
    private int taken;

    private int present;
    private long address;
    private long paid;

    TextureIndex(NvidiaContext context) {
        this.context = context;
    }

    private static ByteBuffer image(int places) {
        byte[] bytes = new byte[Math.multiplyExact(places + 1, TextureTable.PLACE_BYTES)];
        byte[] head = TextureTable.head(places);
        System.arraycopy(head, 0, bytes, 0, head.length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int at(int place) {
        return (place + 1) * TextureTable.PLACE_BYTES;
    }

    /** A module is there that has such a variable. */
    void point(long variable) {
        if (address == 0) {
            place();
        }
        pointers.add(variable);
        write(
                variable,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(address)
                        .array());
    }

    void forget(long variable) {
        pointers.remove(variable);
    }

    /**
     * @param entry of a number that is not there
     */
    void put(long number, byte[] entry) {
        if (2 * (taken + 1) > places) {
            rebuild(4 * (present + 1) > places ? Math.multiplyExact(2, places) : places);
        }
        if (address == 0) {
            place();
        }
        int place = insert(number, entry);
        // What it is comes before its name, for those who look meanwhile.
        write(address + at(place) + Long.BYTES, tail(entry));
        write(address + at(place), java.util.Arrays.copyOf(entry, Long.BYTES));
    }

    private static byte[] tail(byte[] entry) {
        return java.util.Arrays.copyOfRange(entry, Long.BYTES, entry.length);
    }

    private int insert(long number, byte[] entry) {
        int place = TextureTable.place(number, places);
        while (image.getLong(at(place)) != TextureTable.EMPTY) {
            place = place + 1 & places - 1;
        }
        image.put(at(place), entry);
        taken++;
        present++;
        return place;
    }

    void remove(long number) {
        int place = TextureTable.place(number, places);
        while (image.getLong(at(place)) != number) {
            if (image.getLong(at(place)) == TextureTable.EMPTY) {
                return;
            }
            place = place + 1 & places - 1;
        }
        byte[] gone = TextureTable.texture(TextureTable.GONE, 0);
        image.put(at(place), gone);
        present--;
        write(address + at(place), gone);
    }

    private void rebuild(int wanted) {
        ByteBuffer before = image;
        int count = places;
        image = image(wanted);
        places = wanted;
        taken = 0;
        present = 0;
        for (int i = 0; i < count; i++) {
            long number = before.getLong(at(i));
            if (number != TextureTable.EMPTY && number != TextureTable.GONE) {
                byte[] entry = new byte[TextureTable.PLACE_BYTES];
                before.get(at(i), entry);
                int _ = insert(number, entry);
            }
        }
        if (address != 0) {
            outgrown.add(address);
            place();
            List.copyOf(pointers).forEach(this::point);
        }
    }

    /** Gives it a place on the device, as it is. */
    private void place() {
        long bytes = image.capacity();
        if (!context.pay(bytes)) {
            throw new DeviceException(
                    DeviceError.OUT_OF_MEMORY, "there is no room for a table of textures");
        }
        paid += bytes;
        address = context.allocate(bytes);
        context.check();
        byte[] all = new byte[image.capacity()];
        image.get(0, all);
        write(address, all);
    }

    private void write(long where, byte[] bytes) {
        context.use();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment value = scratch.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            context.device().memory().toDevice(where, value, context.memoryStream());
            context.settleMemory();
        }
    }

    /** Of older tables nothing is needed when all kernels so far have ended. */
    void rested(int known) {
        for (int i = 0; i < known && !outgrown.isEmpty(); i++) {
            context.release(outgrown.removeFirst());
        }
    }

    int outgrown() {
        return outgrown.size();
    }

    void close() {
        context.repay(paid);
        paid = 0;
    }
}
