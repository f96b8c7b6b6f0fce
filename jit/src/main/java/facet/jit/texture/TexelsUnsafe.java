package facet.jit.texture;

import facet.jit.runtime.AccessUnsafe;
import facet.jit.runtime.Block;
import facet.jit.runtime.GlobalChecks;
import facet.jit.runtime.GlobalWrites;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelFault;
import org.jspecify.annotations.Nullable;

/**
 * From handles to textures, and from device addresses of elements to addresses of this process.
 *
 * <p>SAFETY: an address comes out of {@link #raw} and {@link #rawToWrite} only when it is aligned
 * to the element's size and lies in the memory that the launch may access, whatever the description
 * of the texture says. Sizes of memory are multiples of 32, so that such an element also ends
 * inside.
 */
final class TexelsUnsafe {
    private TexelsUnsafe() {}

    static boolean is(Block block, long handle, boolean surface) {
        Texture texture = find(block, handle);
        return texture != null && texture.surface == surface;
    }

    private static @Nullable Texture find(Block block, long handle) {
        Texture texture = block.grid.textures().find(handle);
        return texture == null ? named(block, handle) : texture;
    }

    static Texture texture(Block block, long handle, boolean surface) {
        Texture texture = find(block, handle);
        if (texture == null || texture.surface != surface) {
            throw KernelFault.here(
                    KernelFault.Cause.ILLEGAL_ADDRESS,
                    "0x%x is no %s of this context"
                            .formatted(handle, surface ? "surface" : "texture"));
        }
        return texture;
    }

    /** The handle may be the address of a variable that holds one: a reference of old modules. */
    private static @Nullable Texture named(Block block, long address) {
        Grid grid = block.grid;
        boolean inside = Long.compareUnsigned(address - grid.memoryBase(), grid.memorySize()) < 0;
        if (!inside || (address & 7) != 0) {
            return null;
        }
        return grid.textures().find(AccessUnsafe.getB64(address + grid.memoryDelta()));
    }

    /** Where an element of {@code 1 << shift} bytes that is read is in this process. */
    static long raw(Block block, long address, int shift) {
        Grid grid = block.grid;
        long base = grid.memoryBase();
        long size = grid.memorySize();
        if ((address & (1L << shift) - 1) == 0 && Long.compareUnsigned(address - base, size) < 0) {
            return address + grid.memoryDelta();
        }
        long elsewhere =
                switch (shift) {
                    case 0 -> GlobalChecks.check1(address, base, size, block);
                    case 1 -> GlobalChecks.check2(address, base, size, block);
                    case 2 -> GlobalChecks.check4(address, base, size, block);
                    case 3 -> GlobalChecks.check8(address, base, size, block);
                    default -> GlobalChecks.check16(address, base, size, block);
                };
        return elsewhere + grid.memoryDelta();
    }

    /** The same of a surface, which is to be read and written. */
    static long rawToWrite(Block block, long address, int shift) {
        Grid grid = block.grid;
        long base = grid.memoryBase();
        long size = grid.memorySize();
        long checked =
                switch (shift) {
                    case 0 -> GlobalWrites.check1(address, base, size, block);
                    case 1 -> GlobalWrites.check2(address, base, size, block);
                    case 2 -> GlobalWrites.check4(address, base, size, block);
                    case 3 -> GlobalWrites.check8(address, base, size, block);
                    default -> GlobalWrites.check16(address, base, size, block);
                };
        return checked + grid.memoryDelta();
    }
}
