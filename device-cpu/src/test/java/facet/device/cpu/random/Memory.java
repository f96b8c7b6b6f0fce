package facet.device.cpu.random;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes from an address on; an access outside throws. */
final class Memory {
    private final long base;
    private final ByteBuffer bytes;

    Memory(long base, byte[] bytes) {
        this.base = base;
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    Memory(int size) {
        this(0, new byte[size]);
    }

    /** Zero-extended. */
    long read(long address, int width) {
        int at = at(address, width);
        return switch (width) {
            case 1 -> bytes.get(at) & 0xffL;
            case 2 -> bytes.getShort(at) & 0xffffL;
            case 4 -> bytes.getInt(at) & 0xffff_ffffL;
            case 8 -> bytes.getLong(at);
            default -> throw new IllegalArgumentException("an access of " + width + " bytes");
        };
    }

    void write(long address, int width, long value) {
        int at = at(address, width);
        switch (width) {
            case 1 -> bytes.put(at, (byte) value);
            case 2 -> bytes.putShort(at, (short) value);
            case 4 -> bytes.putInt(at, (int) value);
            case 8 -> bytes.putLong(at, value);
            default -> throw new IllegalArgumentException("an access of " + width + " bytes");
        }
    }

    private int at(long address, int width) {
        long offset = address - base;
        if (offset < 0 || offset > bytes.capacity() - width || offset % width != 0) {
            throw new IllegalStateException(
                    "access of " + width + " bytes at 0x" + Long.toHexString(address));
        }
        return (int) offset;
    }
}
