package facet.device.nvidia.foreign;

import static facet.device.nvidia.foreign.Driver.check;
import static facet.device.nvidia.foreign.Scratch.number;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Sampling;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The vendor's libcuda: arrays and textures, of the current context. */
public final class DriverTextures {
    // CUDA_RESOURCE_DESC: kind, and behind it what that kind has; flags that nobody sets.
    private static final long RESOURCE_BYTES = 144;
    private static final long RESOURCE = 8;
    private static final int KIND_ARRAY = 0;
    private static final int KIND_MIPMAP = 1;
    private static final int KIND_LINEAR = 2;
    private static final int KIND_ROWS = 3;

    // CUDA_TEXTURE_DESC
    private static final long TEXTURE_BYTES = 104;
    private static final long FILTER = 12;
    private static final long FLAGS = 16;
    private static final long LEVEL_FILTER = 24;
    private static final long BIAS = 28;
    private static final long LOWEST = 32;
    private static final long HIGHEST = 36;
    private static final long BORDER = 40;
    private static final int AS_INTEGER = 1;
    private static final int NORMALIZED = 2;
    private static final int SRGB = 16;
    private static final int SEAMLESS = 64;

    // CUDA_ARRAY3D_DESCRIPTOR: width, height, depth, format, channels, flags.
    private static final long ARRAY_BYTES = 40;
    private static final int LAYERED = 1;
    private static final int CUBE = 4;
    private static final int FACES = 6;

    // CUDA_MEMCPY3D
    private static final long COPY_BYTES = 200;
    private static final long COPY_FROM_KIND = 32;
    private static final long COPY_FROM = 48;
    private static final long COPY_FROM_PITCH = 72;
    private static final long COPY_FROM_ROWS = 80;
    private static final long COPY_TO_KIND = 120;
    private static final long COPY_TO = 144;
    private static final long COPY_WIDTH = 176;
    private static final int MEMORY_DEVICE = 2;
    private static final int MEMORY_ARRAY = 3;

    private final VendorLibrary library;

    public DriverTextures(Driver driver) {
        library = driver.library();
    }

    /** An array of the driver's, of one or several levels. */
    public record Arrays(long handle, boolean mipmap) {}

    // ---- arrays

    /** Memory in the driver's own order, as large as the first level and all below it. */
    public Arrays create(TextureDescription description) {
        boolean mipmap = description.levels().size() > 1;
        Level level = description.levels().getFirst();
        try (Scratch scratch = new Scratch()) {
            MemorySegment wanted = scratch.room(ARRAY_BYTES);
            boolean flat = description.shape() == TextureDescription.Shape.PLAIN;
            wanted.set(ValueLayout.JAVA_LONG, 0, level.width());
            // A height of 0 is one axis, a depth of 0 is two.
            wanted.set(ValueLayout.JAVA_LONG, 8, level.height() == 1 ? 0 : level.height());
            wanted.set(ValueLayout.JAVA_LONG, 16, flat && level.depth() == 1 ? 0 : level.depth());
            wanted.set(ValueLayout.JAVA_INT, 24, format(description.format()));
            wanted.set(ValueLayout.JAVA_INT, 28, description.channels());
            wanted.set(ValueLayout.JAVA_INT, 32, flags(description.shape(), level.depth()));
            MemorySegment place = scratch.room(Long.BYTES);
            if (mipmap) {
                check(
                        "cuMipmappedArrayCreate",
                        library.call("cuMipmappedArrayCreate", 3)
                                .call(
                                        place.address(),
                                        wanted.address(),
                                        description.levels().size()));
            } else {
                check(
                        "cuArray3DCreate_v2",
                        library.call("cuArray3DCreate_v2", 2)
                                .call(place.address(), wanted.address()));
            }
            return new Arrays(number(place), mipmap);
        }
    }

    private static int flags(TextureDescription.Shape shape, int depth) {
        return switch (shape) {
            case LINEAR, PLAIN -> 0;
            case LAYERED -> LAYERED;
            case CUBE -> depth == FACES ? CUBE : CUBE | LAYERED;
        };
    }

    private static int format(TextureDescription.Format format) {
        return switch (format) {
            case U8 -> 1;
            case U16 -> 2;
            case U32 -> 3;
            case S8 -> 8;
            case S16 -> 9;
            case S32 -> 10;
            case F16 -> 16;
            case F32 -> 32;
        };
    }

    public int destroy(Arrays arrays) {
        return library.call(arrays.mipmap ? "cuMipmappedArrayDestroy" : "cuArrayDestroy", 1)
                .call(arrays.handle);
    }

    /** Copies a level to the array's. */
    public void fill(Arrays arrays, int number, Level from, int elementBytes, long stream) {
        try (Scratch scratch = new Scratch()) {
            long array = arrays.handle;
            if (arrays.mipmap) {
                MemorySegment place = scratch.room(Long.BYTES);
                check(
                        "cuMipmappedArrayGetLevel",
                        library.call("cuMipmappedArrayGetLevel", 3)
                                .call(place.address(), arrays.handle, number));
                array = number(place);
            }
            MemorySegment copy = scratch.room(COPY_BYTES);
            copy.set(ValueLayout.JAVA_INT, COPY_FROM_KIND, MEMORY_DEVICE);
            copy.set(ValueLayout.JAVA_LONG, COPY_FROM, from.address());
            copy.set(ValueLayout.JAVA_LONG, COPY_FROM_PITCH, from.pitch());
            copy.set(ValueLayout.JAVA_LONG, COPY_FROM_ROWS, from.slice() / from.pitch());
            copy.set(ValueLayout.JAVA_INT, COPY_TO_KIND, MEMORY_ARRAY);
            copy.set(ValueLayout.JAVA_LONG, COPY_TO, array);
            copy.set(ValueLayout.JAVA_LONG, COPY_WIDTH, (long) from.width() * elementBytes);
            copy.set(ValueLayout.JAVA_LONG, COPY_WIDTH + 8, from.height());
            copy.set(ValueLayout.JAVA_LONG, COPY_WIDTH + 16, from.depth());
            check(
                    "cuMemcpy3DAsync_v2",
                    library.call("cuMemcpy3DAsync_v2", 2).call(copy.address(), stream));
        }
    }

    // ---- textures

    public long texture(TextureDescription description, Arrays arrays) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment resource = scratch.room(RESOURCE_BYTES);
            resource.set(ValueLayout.JAVA_INT, 0, arrays.mipmap ? KIND_MIPMAP : KIND_ARRAY);
            resource.set(ValueLayout.JAVA_LONG, RESOURCE, arrays.handle);
            return texture(scratch, resource, description);
        }
    }

    /** Over memory as it is: elements one behind the other, or rows of them. */
    public long textureOfMemory(TextureDescription description, int elementBytes) {
        Level level = description.levels().getFirst();
        boolean linear = description.shape() == TextureDescription.Shape.LINEAR;
        try (Scratch scratch = new Scratch()) {
            MemorySegment resource = scratch.room(RESOURCE_BYTES);
            resource.set(ValueLayout.JAVA_INT, 0, linear ? KIND_LINEAR : KIND_ROWS);
            resource.set(ValueLayout.JAVA_LONG, RESOURCE, level.address());
            resource.set(ValueLayout.JAVA_INT, RESOURCE + 8, format(description.format()));
            resource.set(ValueLayout.JAVA_INT, RESOURCE + 12, description.channels());
            long width = linear ? (long) level.width() * elementBytes : level.width();
            resource.set(ValueLayout.JAVA_LONG, RESOURCE + 16, width);
            if (!linear) {
                resource.set(ValueLayout.JAVA_LONG, RESOURCE + 24, level.height());
                resource.set(ValueLayout.JAVA_LONG, RESOURCE + 32, level.pitch());
            }
            return texture(scratch, resource, description);
        }
    }

    private long texture(Scratch scratch, MemorySegment resource, TextureDescription description) {
        Sampling sampling = description.sampling();
        if (sampling == null) {
            throw new DeviceException(DeviceError.INVALID_VALUE, "a surface is no texture");
        }
        MemorySegment wanted = scratch.room(TEXTURE_BYTES);
        for (int i = 0; i < sampling.edges().size(); i++) {
            wanted.set(
                    ValueLayout.JAVA_INT,
                    (long) i * Integer.BYTES,
                    switch (sampling.edges().get(i)) {
                        case WRAP -> 0;
                        case CLAMP -> 1;
                        case MIRROR -> 2;
                        case BORDER -> 3;
                    });
        }
        wanted.set(ValueLayout.JAVA_INT, FILTER, sampling.linear() ? 1 : 0);
        wanted.set(
                ValueLayout.JAVA_INT,
                FLAGS,
                (sampling.fractions() ? 0 : AS_INTEGER)
                        | (sampling.normalized() ? NORMALIZED : 0)
                        | (sampling.srgb() ? SRGB : 0)
                        | (sampling.seamless() ? SEAMLESS : 0));
        wanted.set(ValueLayout.JAVA_INT, LEVEL_FILTER, sampling.linearLevels() ? 1 : 0);
        wanted.set(ValueLayout.JAVA_FLOAT, BIAS, sampling.bias());
        wanted.set(ValueLayout.JAVA_FLOAT, LOWEST, sampling.lowest());
        wanted.set(ValueLayout.JAVA_FLOAT, HIGHEST, sampling.highest());
        for (int i = 0; i < sampling.border().size(); i++) {
            wanted.set(
                    ValueLayout.JAVA_FLOAT,
                    BORDER + (long) i * Float.BYTES,
                    sampling.border().get(i));
        }
        MemorySegment place = scratch.room(Long.BYTES);
        check(
                "cuTexObjectCreate",
                library.call("cuTexObjectCreate", 4)
                        .call(place.address(), resource.address(), wanted.address(), 0));
        return number(place);
    }

    public int destroyTexture(long object) {
        return library.call("cuTexObjectDestroy", 1).call(object);
    }
}
