package facet.jit.texture;

import facet.jit.math.F16;
import facet.jit.runtime.AccessUnsafe;
import facet.jit.runtime.AtomicsUnsafe;
import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.ptx.Geometry;
import facet.ptx.Modifier;

/** What generated code calls for {@code suld}, {@code sust} and {@code sured} (PTX ISA 9.7.11). */
public final class SurfaceCalls {
    /** What an access beyond the edge does, by the number that generated code passes. */
    public static final int TRAP = 0;

    public static final int CLAMP = 1;
    public static final int ZERO = 2;

    private static final Geometry[] GEOMETRIES = Geometry.values();

    private SurfaceCalls() {}

    /**
     * Where in this process so many bytes are, with x counted in bytes; 0 when they are outside and
     * that is to be ignored.
     *
     * @param bytes a power of two, at most 16
     */
    public static long place(
            Block block,
            long handle,
            int geometry,
            int layer,
            int x,
            int y,
            int z,
            int bytes,
            int edge) {
        Texture surface = TexelsUnsafe.texture(block, handle, true);
        return place(block, surface, geometry, layer, x, y, z, bytes, edge);
    }

    /**
     * {@code sust.p}: an element as the surface keeps it, with x counted in elements. Channels that
     * it has not are left out, those that were not given stay.
     */
    public static void store(
            int first,
            int second,
            int third,
            int fourth,
            int count,
            Block block,
            long handle,
            int geometry,
            int layer,
            int x,
            int y,
            int z,
            int edge) {
        Texture surface = TexelsUnsafe.texture(block, handle, true);
        int bytes = 1 << surface.shift;
        long start = (long) x << surface.shift;
        long raw = place(block, surface, geometry, layer, start, y, z, bytes, edge);
        if (raw == 0) {
            return;
        }
        for (int i = 0; i < Math.min(count, surface.channels); i++) {
            int value = i == 0 ? first : i == 1 ? second : i == 2 ? third : fourth;
            put(surface.format, raw + (long) i * surface.format.bytes(), value);
        }
    }

    private static void put(Format format, long raw, int value) {
        switch (format) {
            case U8 -> AccessUnsafe.putB8(raw, (int) Math.min(value & 0xffff_ffffL, 255));
            case U16 -> AccessUnsafe.putB16(raw, (int) Math.min(value & 0xffff_ffffL, 65_535));
            case S8 -> AccessUnsafe.putB8(raw, Math.clamp(value, -128, 127));
            case S16 -> AccessUnsafe.putB16(raw, Math.clamp(value, -32_768, 32_767));
            case F16 -> AccessUnsafe.putB16(raw, F16.fromFloatRn(Float.intBitsToFloat(value)));
            case U32, S32, F32 -> AccessUnsafe.putB32(raw, value);
        }
    }

    /** For {@code sured.p}: the place of a whole element, with x counted in elements. */
    public static long element(
            Block block,
            long handle,
            int geometry,
            int layer,
            int x,
            int y,
            int z,
            int bytes,
            int edge) {
        Texture surface = TexelsUnsafe.texture(block, handle, true);
        long start = (long) x << surface.shift;
        return place(block, surface, geometry, layer, start, y, z, bytes, edge);
    }

    private static long place(
            Block block,
            Texture surface,
            int geometry,
            int layer,
            long x,
            int y,
            int z,
            int bytes,
            int edge) {
        Level level = surface.base;
        Geometry shape = GEOMETRIES[geometry];
        int axes = shape.coordinates();
        int row = axes < 2 ? 0 : y;
        int slice = shape.isLayered() ? layer : axes < 3 ? 0 : z;
        long last = ((long) level.width() << surface.shift) - bytes;
        if (x < 0
                || x > last
                || Integer.compareUnsigned(row, level.height()) >= 0
                || Integer.compareUnsigned(slice, level.depth()) >= 0) {
            if (edge == ZERO) {
                return 0;
            }
            if (edge == TRAP || last < 0) {
                throw KernelFault.here(
                        KernelFault.Cause.ILLEGAL_ADDRESS,
                        "%d bytes at %d, row %d, slice %d are outside of a surface of %dx%dx%d"
                                .formatted(
                                        bytes,
                                        x,
                                        row,
                                        slice,
                                        level.width(),
                                        level.height(),
                                        level.depth()));
            }
            x = Math.clamp(x, 0, last);
            row = Math.clamp(row, 0, level.height() - 1);
            slice = Math.clamp(slice, 0, level.depth() - 1);
        }
        long address = level.element(0, row, slice, 0) + x;
        return TexelsUnsafe.rawToWrite(block, address, Integer.numberOfTrailingZeros(bytes));
    }

    // ---- what lies outside reads as zero and swallows what is written

    public static int load8(long raw, int at) {
        return raw == 0 ? 0 : AccessUnsafe.getU8(raw + at);
    }

    public static int load16(long raw, int at) {
        return raw == 0 ? 0 : AccessUnsafe.getU16(raw + at);
    }

    public static int load32(long raw, int at) {
        return raw == 0 ? 0 : AccessUnsafe.getB32(raw + at);
    }

    public static long load64(long raw, int at) {
        return raw == 0 ? 0 : AccessUnsafe.getB64(raw + at);
    }

    public static void store8(int value, long raw, int at) {
        if (raw != 0) {
            AccessUnsafe.putB8(raw + at, value);
        }
    }

    public static void store16(int value, long raw, int at) {
        if (raw != 0) {
            AccessUnsafe.putB16(raw + at, value);
        }
    }

    public static void store32(int value, long raw, int at) {
        if (raw != 0) {
            AccessUnsafe.putB32(raw + at, value);
        }
    }

    public static void store64(long value, long raw, int at) {
        if (raw != 0) {
            AccessUnsafe.putB64(raw + at, value);
        }
    }

    private static final Modifier[] OPERATIONS = Modifier.values();

    /** {@code sured.p}: whether the value has a sign is what the surface says. */
    public static void reduceElement(
            int value,
            int operation,
            Block block,
            long handle,
            int geometry,
            int layer,
            int x,
            int y,
            int z,
            int edge) {
        Texture surface = TexelsUnsafe.texture(block, handle, true);
        long start = (long) x << surface.shift;
        long raw = place(block, surface, geometry, layer, start, y, z, Integer.BYTES, edge);
        reduce32(value, raw, operation, surface.format == Format.S32);
    }

    public static void reduce32(int value, long raw, int operation, boolean signed) {
        if (raw == 0) {
            return;
        }
        switch (OPERATIONS[operation]) {
            case ADD -> AtomicsUnsafe.addB32(raw, value);
            case AND -> AtomicsUnsafe.andB32(raw, value);
            case OR -> AtomicsUnsafe.orB32(raw, value);
            case MIN -> {
                if (signed) {
                    AtomicsUnsafe.minS32(raw, value);
                } else {
                    AtomicsUnsafe.minU32(raw, value);
                }
            }
            case MAX -> {
                if (signed) {
                    AtomicsUnsafe.maxS32(raw, value);
                } else {
                    AtomicsUnsafe.maxU32(raw, value);
                }
            }
            default -> throw new IllegalArgumentException("operation " + OPERATIONS[operation]);
        }
    }

    public static void reduce64(long value, long raw, int operation, boolean signed) {
        if (raw == 0) {
            return;
        }
        switch (OPERATIONS[operation]) {
            case ADD -> AtomicsUnsafe.addB64(raw, value);
            case MIN -> {
                if (signed) {
                    AtomicsUnsafe.minS64(raw, value);
                } else {
                    AtomicsUnsafe.minU64(raw, value);
                }
            }
            case MAX -> {
                if (signed) {
                    AtomicsUnsafe.maxS64(raw, value);
                } else {
                    AtomicsUnsafe.maxU64(raw, value);
                }
            }
            default -> throw new IllegalArgumentException("operation " + OPERATIONS[operation]);
        }
    }
}
