package facet.device.nvidia.foreign;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** One function of a vendor's library. The result is what it answers. */
record Call(String library, String name, @Nullable MethodHandle handle) {
    private MethodHandle there() {
        MethodHandle known = handle;
        if (known == null) {
            throw new DeviceException(
                    DeviceError.NOT_SUPPORTED,
                    "the vendor's " + library + " has no " + name + "; a newer driver may have it");
        }
        return known;
    }

    int call() {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact();
        } catch (Throwable e) {
            throw thrown(e);
        } finally {
            InDriver.leave(slot);
        }
    }

    int call(long a) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a);
        } catch (Throwable e) {
            throw thrown(e);
        } finally {
            InDriver.leave(slot);
        }
    }

    int call(long a, long b) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a, b);
        } catch (Throwable e) {
            throw thrown(e);
        } finally {
            InDriver.leave(slot);
        }
    }

    int call(long a, long b, long c) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a, b, c);
        } catch (Throwable e) {
            throw thrown(e);
        } finally {
            InDriver.leave(slot);
        }
    }

    int call(long a, long b, long c, long d) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a, b, c, d);
        } catch (Throwable e) {
            throw thrown(e);
        } finally {
            InDriver.leave(slot);
        }
    }

    int call(long a, long b, long c, long d, long e) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw thrown(thrown);
        } finally {
            InDriver.leave(slot);
        }
    }

    /** A launch: grid, block and shared memory are in pairs of numbers elsewhere too. */
    int call(
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k) {
        int slot = InDriver.enter(name);
        try {
            return (int) there().invokeExact(a, b, c, d, e, f, g, h, i, j, k);
        } catch (Throwable thrown) {
            throw thrown(thrown);
        } finally {
            InDriver.leave(slot);
        }
    }

    /** Downcalls throw nothing of their own. */
    private static RuntimeException thrown(Throwable e) {
        return switch (e) {
            case RuntimeException known -> known;
            case Error error -> throw error;
            default -> new IllegalStateException(e);
        };
    }
}
