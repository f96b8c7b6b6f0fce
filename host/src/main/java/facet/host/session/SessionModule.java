package facet.host.session;

import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A module of a client; its kernels have numbers, and are compiled when first launched. It has its
 * number when its load begins, and can be used when that has ended. Any thread.
 */
final class SessionModule {
    private record Loaded(
            LoadedModule device,
            List<KernelInfo> kernels,
            AtomicReferenceArray<@Nullable Kernel> made,
            long taken,
            List<String> texts) {}

    private volatile @Nullable Loaded loaded;

    /** Kernels that are being compiled, and who waits for them. */
    private final Map<Integer, List<Consumer<@Nullable Throwable>>> making = new HashMap<>();

    /**
     * It can be used from now on.
     *
     * @param taken bytes of device memory for its variables
     * @param texts that it was made of
     */
    void loaded(LoadedModule device, long taken, List<String> texts) {
        List<KernelInfo> kernels = device.kernels();
        loaded =
                new Loaded(
                        device, kernels, new AtomicReferenceArray<>(kernels.size()), taken, texts);
    }

    boolean isLoaded() {
        return loaded != null;
    }

    private Loaded get() {
        Loaded present = loaded;
        if (present == null) {
            throw new IllegalStateException("the module is not loaded yet");
        }
        return present;
    }

    LoadedModule device() {
        return get().device;
    }

    List<String> texts() {
        return get().texts;
    }

    long taken() {
        return get().taken;
    }

    KernelInfo info(int function) {
        List<KernelInfo> kernels = get().kernels;
        if (function < 0 || function >= kernels.size()) {
            throw new ProtocolViolation(
                    "function " + function + " of a module that has " + kernels.size());
        }
        return kernels.get(function);
    }

    /** Null when it was not compiled yet. */
    @Nullable Kernel kernel(int function) {
        info(function);
        return get().made.get(function);
    }

    /**
     * Tells when a kernel is compiled. That may take its time; it is done once for all who ask
     * meanwhile.
     *
     * @param elsewhere does what it is given, not now
     * @param told hears why it could not be compiled, or null
     */
    void whenMade(int function, Consumer<Runnable> elsewhere, Consumer<@Nullable Throwable> told) {
        synchronized (making) {
            List<Consumer<@Nullable Throwable>> others = making.get(function);
            if (others != null) {
                others.add(told);
                return;
            }
            making.put(function, new ArrayList<>(List.of(told)));
        }
        elsewhere.accept(() -> make(function));
    }

    private void make(int function) {
        Loaded present = get();
        Throwable failure = null;
        try {
            if (kernel(function) == null) {
                present.made.set(function, present.device.kernel(info(function).name()));
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        List<Consumer<@Nullable Throwable>> all;
        synchronized (making) {
            all = Objects.requireNonNull(making.remove(function));
        }
        for (Consumer<@Nullable Throwable> each : all) {
            each.accept(failure);
        }
    }
}
