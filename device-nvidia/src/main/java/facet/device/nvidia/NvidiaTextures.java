package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Shape;
import facet.device.nvidia.foreign.DriverTextures;
import facet.ptx.rewrite.TextureTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Textures and surfaces of a context, by numbers of the program's choice: kernels look them up
 * ({@link facet.ptx.rewrite.TextureNumbers}). What a program calls an array is plain memory here.
 * Textures read it as it is where the driver has such textures, of elements in a row and of rows;
 * else they read an array of the driver's that is kept alike. Surfaces are memory by themselves.
 * Any thread.
 */
final class NvidiaTextures {
    private final NvidiaContext context;
    private final DriverTextures driver;
    private final long base;
    private final long bytes;
    private final TextureIndex index;
    private final Map<Long, Made> made = new HashMap<>();
    private final Map<Key, TextureArray> arrays = new HashMap<>();

    /** Whether there are none, for those who are in a hurry. */
    private volatile boolean arrayless = true;

    /** What makes two textures read the same array. */
    private record Key(
            Shape shape, TextureDescription.Format format, int channels, List<Level> levels) {}

    /**
     * @param object of the driver's; 0: it is a surface
     * @param array that it reads; null: it reads memory
     */
    private record Made(long object, @Nullable Key array) {}

    /**
     * @param base where the context has its memory
     */
    NvidiaTextures(NvidiaContext context, long base, long bytes) {
        this.context = context;
        this.base = base;
        this.bytes = bytes;
        driver = new DriverTextures(context.driver());
        index = new TextureIndex(context);
    }

    synchronized void create(long number, TextureDescription description) {
        if (number == TextureTable.EMPTY
                || number == TextureTable.GONE
                || made.containsKey(number)) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "0x" + Long.toHexString(number) + " is no number for a texture, or taken");
        }
        TextureSizes.check(description, base, bytes);
        context.check();
        context.use();
        if (description.sampling() == null) {
            index.put(number, surface(number, description));
            made.put(number, new Made(0, null));
            return;
        }
        Made texture =
                readsMemory(description)
                        ? new Made(
                                driver.textureOfMemory(
                                        description, TextureSizes.elementBytes(description)),
                                null)
                        : ofArray(description);
        boolean known = false;
        try {
            index.put(number, TextureTable.texture(number, texture.object));
            made.put(number, texture);
            known = true;
        } finally {
            if (!known) {
                end(texture);
            }
        }
    }

    private static byte[] surface(long number, TextureDescription description) {
        Level level = description.levels().getFirst();
        return TextureTable.surface(
                number,
                level.address(),
                level.pitch(),
                level.slice(),
                Math.multiplyExact(level.width(), TextureSizes.elementBytes(description)),
                level.height(),
                level.depth());
    }

    private boolean readsMemory(TextureDescription description) {
        Level level = description.levels().getFirst();
        return description.shape() == Shape.LINEAR
                || description.shape() == Shape.PLAIN
                        && description.levels().size() == 1
                        && level.height() > 1
                        && level.depth() == 1
                        && isMultiple(level.address(), Attribute.TEXTURE_ALIGNMENT)
                        && isMultiple(level.pitch(), Attribute.TEXTURE_PITCH_ALIGNMENT);
    }

    private boolean isMultiple(long value, Attribute of) {
        return value % Math.max(1, context.device().attribute(of)) == 0;
    }

    private Made ofArray(TextureDescription description) {
        if (!TextureSizes.areHalved(description)) {
            throw new DeviceException(
                    DeviceError.NOT_SUPPORTED,
                    "a texture of levels that are not half of each other on a vendor's device");
        }
        Key key =
                new Key(
                        description.shape(),
                        description.format(),
                        description.channels(),
                        description.levels());
        TextureArray array = arrays.get(key);
        if (array == null) {
            array = array(description);
            arrays.put(key, array);
            arrayless = false;
        }
        array.use();
        boolean ready = false;
        try {
            Made texture = new Made(driver.texture(description, array.arrays()), key);
            ready = true;
            return texture;
        } finally {
            if (!ready) {
                leave(key);
            }
        }
    }

    /** The slice pays for it, beside what the program calls the array. */
    private TextureArray array(TextureDescription description) {
        long needed = TextureSizes.elements(description);
        if (!context.pay(needed)) {
            throw new DeviceException(
                    DeviceError.OUT_OF_MEMORY,
                    "there is no room for " + needed + " bytes of a texture");
        }
        boolean ready = false;
        try {
            TextureArray array =
                    new TextureArray(
                            driver, description, TextureSizes.elementBytes(description), needed);
            ready = true;
            return array;
        } finally {
            if (!ready) {
                context.repay(needed);
            }
        }
    }

    /** Kernels that were launched before may still read it; it goes when they have ended. */
    void destroy(long number) {
        int outgrown;
        synchronized (this) {
            if (!made.containsKey(number)) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE, "no texture 0x" + Long.toHexString(number));
            }
            outgrown = index.outgrown();
        }
        context.whenRested(() -> drop(number, outgrown));
    }

    private synchronized void drop(long number, int outgrown) {
        Made texture = made.remove(number);
        if (texture == null || context.isLost()) {
            return;
        }
        context.use();
        index.remove(number);
        index.rested(outgrown);
        end(texture);
    }

    private void end(Made texture) {
        if (texture.object != 0) {
            // What a broken driver answers here changes nothing: it goes with its process.
            int _ = driver.destroyTexture(texture.object);
        }
        if (texture.array != null) {
            leave(texture.array);
        }
    }

    private void leave(Key key) {
        TextureArray array = arrays.get(key);
        if (array != null && array.leave()) {
            arrays.remove(key);
            array.destroy();
            context.repay(array.bytes());
            arrayless = arrays.isEmpty();
        }
    }

    // ---- modules

    /** A module was loaded that looks for the table there. */
    synchronized void point(long variable) {
        index.point(variable);
    }

    synchronized void forget(long variable) {
        index.forget(variable);
    }

    // ---- work of streams, by the thread that gives it to the driver

    /** Before a kernel that may read textures. */
    void bring(long stream, Batch batch) {
        if (arrayless) {
            return;
        }
        synchronized (this) {
            for (TextureArray each : arrays.values()) {
                each.bring(context.marks(), stream, batch);
            }
        }
    }

    /** Behind a copy or fill that was given to the stream. */
    void changed(long address, long length, long stream) {
        if (arrayless || length <= 0) {
            return;
        }
        synchronized (this) {
            List<TextureArray> touched = new ArrayList<>(arrays.values());
            touched.removeIf(each -> !each.touches(address, length));
            mark(touched, stream);
        }
    }

    /** Behind a kernel that may write surfaces. */
    void changed(long stream) {
        if (!arrayless) {
            synchronized (this) {
                mark(List.copyOf(arrays.values()), stream);
            }
        }
    }

    private void mark(List<TextureArray> touched, long stream) {
        if (!touched.isEmpty()) {
            Marks.Mark behind = context.marks().next();
            behind.record(stream);
            touched.forEach(each -> each.changed(behind));
        }
    }

    /** Somebody has written there, and waited for it. */
    void written(long address, long length) {
        if (arrayless) {
            return;
        }
        synchronized (this) {
            arrays.values().stream()
                    .filter(each -> each.touches(address, length))
                    .forEach(each -> each.changed(null));
        }
    }

    /** The context ends, and all that the driver has of it. */
    synchronized void close() {
        arrays.values().forEach(each -> context.repay(each.bytes()));
        arrays.clear();
        arrayless = true;
        made.clear();
        index.close();
    }
}
