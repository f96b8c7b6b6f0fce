package facet.jit.runtime;

import jdk.internal.misc.Unsafe;

/**
 * Loads and stores of kernels.
 *
 * <p>SAFETY: the {@code get} and {@code put} methods take an address of this process and trust it.
 * Generated code obtains that address only from {@code check*} or {@link Generic}, which throw
 * unless {@code [address, address + width)} lies in the memory the thread may touch: context
 * memory, the block's shared memory, the thread's local memory, the launch's parameters. Sizes are
 * multiples of 32, so that an aligned access that starts inside ends inside.
 *
 * <p>Why not MemorySegment: warm it is as fast, but before C2 has compiled a kernel an access
 * through its VarHandles costs ten times as much and more. Here an access is one intrinsic.
 * ARCHITECTURE.md has the figures.
 */
public final class AccessUnsafe {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private AccessUnsafe() {}

    public static long check1(long address, long base, long size) {
        if (Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 1);
        }
        return address;
    }

    public static long check2(long address, long base, long size) {
        if ((address & 1) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 2);
        }
        return address;
    }

    public static long check4(long address, long base, long size) {
        if ((address & 3) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 4);
        }
        return address;
    }

    public static long check8(long address, long base, long size) {
        if ((address & 7) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 8);
        }
        return address;
    }

    public static long check16(long address, long base, long size) {
        if ((address & 15) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 16);
        }
        return address;
    }

    public static long check32(long address, long base, long size) {
        if ((address & 31) != 0 || Long.compareUnsigned(address - base, size) >= 0) {
            throw fault(address, 32);
        }
        return address;
    }

    static KernelFault fault(long address, int width) {
        boolean misaligned = (address & (width - 1)) != 0;
        return KernelFault.here(
                misaligned
                        ? KernelFault.Cause.MISALIGNED_ADDRESS
                        : KernelFault.Cause.ILLEGAL_ADDRESS,
                width + " bytes at address 0x" + Long.toHexString(address));
    }

    public static int getS8(long raw) {
        return UNSAFE.getByte(null, raw);
    }

    public static int getU8(long raw) {
        return UNSAFE.getByte(null, raw) & 0xff;
    }

    public static int getS16(long raw) {
        return UNSAFE.getShort(null, raw);
    }

    public static int getU16(long raw) {
        return UNSAFE.getChar(null, raw);
    }

    public static int getB32(long raw) {
        return UNSAFE.getInt(null, raw);
    }

    public static long getB64(long raw) {
        return UNSAFE.getLong(null, raw);
    }

    public static float getF32(long raw) {
        return UNSAFE.getFloat(null, raw);
    }

    public static double getF64(long raw) {
        return UNSAFE.getDouble(null, raw);
    }

    public static void putB8(long raw, int value) {
        UNSAFE.putByte(null, raw, (byte) value);
    }

    public static void putB16(long raw, int value) {
        UNSAFE.putShort(null, raw, (short) value);
    }

    public static void putB32(long raw, int value) {
        UNSAFE.putInt(null, raw, value);
    }

    public static void putB64(long raw, long value) {
        UNSAFE.putLong(null, raw, value);
    }

    public static void putF32(long raw, float value) {
        UNSAFE.putFloat(null, raw, value);
    }

    public static void putF64(long raw, double value) {
        UNSAFE.putDouble(null, raw, value);
    }

    // Volatile, relaxed, acquire and release accesses all take Java's volatile: on x86 it costs a
    // load nothing.

    public static int getVolatileS8(long raw) {
        return UNSAFE.getByteVolatile(null, raw);
    }

    public static int getVolatileU8(long raw) {
        return UNSAFE.getByteVolatile(null, raw) & 0xff;
    }

    public static int getVolatileS16(long raw) {
        return UNSAFE.getShortVolatile(null, raw);
    }

    public static int getVolatileU16(long raw) {
        return UNSAFE.getCharVolatile(null, raw);
    }

    public static int getVolatileB32(long raw) {
        return UNSAFE.getIntVolatile(null, raw);
    }

    public static long getVolatileB64(long raw) {
        return UNSAFE.getLongVolatile(null, raw);
    }

    public static void putVolatileB8(long raw, int value) {
        UNSAFE.putByteRelease(null, raw, (byte) value);
    }

    public static void putVolatileB16(long raw, int value) {
        UNSAFE.putShortRelease(null, raw, (short) value);
    }

    public static void putVolatileB32(long raw, int value) {
        UNSAFE.putIntRelease(null, raw, value);
    }

    public static void putVolatileB64(long raw, long value) {
        UNSAFE.putLongRelease(null, raw, value);
    }

    public static void fence() {
        UNSAFE.fullFence();
    }

    public static void copy(long from, long to, long bytes) {
        UNSAFE.copyMemory(from, to, bytes);
    }
}
