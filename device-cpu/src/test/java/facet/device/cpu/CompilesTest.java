package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Making code is work of a slice: it takes a seat, makes room, and ends with its context. */
@Timeout(120)
final class CompilesTest {
    private final TakingTurns turns = new TakingTurns(1);
    private final TakingTurns.Member one = turns.join();
    private final TakingTurns.Member other = turns.join();
    private final Device device =
            CpuDevice.create(CpuDevice.profile("one seat", 1 << 30, 1), 1, turns);

    @AfterEach
    void close() {
        device.close();
    }

    private Context context(TakingTurns.Member share) {
        return device.createContext(
                ContextOptions.of("slice", 16 << 20).withFaults(line -> {}).withShare(share));
    }

    /** Some 20 MB, and many seconds to load. */
    private static String endless() {
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_75\n.address_size 64\n");
        for (int i = 0; i < 90_000; i++) {
            text.append(".visible .entry k%d(.param .u64 a)%n".formatted(i));
            text.append("{ .reg .b32 %r<4>; .reg .b64 %rd; ld.param.u64 %rd, [a];\n");
            text.append(
                    "ld.global.u32 %r0, [%rd]; add.u32 %r1, %r0, 1; st.global.u32 [%rd], %r1;\n");
            text.append("ret; }\n");
        }
        return text.toString();
    }

    private CompletableFuture<?> loading(Context context) {
        String text = endless();
        CompletableFuture<?> loading = CompletableFuture.supplyAsync(() -> context.load(text));
        while (!turns.sits(one)) {
            assertFalse(loading.isDone(), "it has not begun");
            Thread.onSpinWait();
        }
        return loading;
    }

    private void add(Context context) {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(32), context.allocate(128), 32, 5));
        stream.synchronize();
    }

    @Test
    void loadingAndCompilingTakeASeatOfTheirShare() {
        Context context = context(one);
        int before = turns.picked(one);
        Kernel kernel = context.load(Kernels.ADD).kernel("add");
        assertEquals("add", kernel.name());
        assertEquals(2, turns.picked(one) - before, "one for the module, one for the kernel");
        context.load(Kernels.ADD).kernel("add");
        assertEquals(2, turns.picked(one) - before, "what is there already needs none");
        assertEquals(0, turns.picked(other));
    }

    @Test
    void anotherSliceWorksWhileOneLoads() {
        Context slow = context(one);
        CompletableFuture<?> loading = loading(slow);
        add(context(other));
        assertFalse(loading.isDone(), "there is one seat, and it was left to the other");
        slow.stop();
    }

    @Test
    void stoppingEndsALoad() throws Exception {
        Context context = context(one);
        CompletableFuture<?> loading = loading(context);
        context.stop();
        Throwable thrown;
        try {
            loading.get(60, TimeUnit.SECONDS);
            throw new AssertionError("it was loaded");
        } catch (java.util.concurrent.ExecutionException e) {
            thrown = e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("it goes on", e);
        }
        assertInstanceOf(DeviceException.class, thrown);
        context.close();
        add(context(other));
    }

    /** Its memory may be elsewhere, and come back only for the kernel that is loaded here. */
    @Test
    void aPausedContextLoads() {
        Context context = context(one);
        context.pause();
        assertEquals("add", context.load(Kernels.ADD).kernel("add").name());
        context.resume();
    }

    @Test
    void slicesHaveNoCodeInCommon() {
        ModuleCaches caches = new ModuleCaches();
        ModuleCache.Entry entry = caches.of(one).get(Kernels.ADD);
        assertSame(entry, caches.of(one).get(Kernels.ADD));
        assertNotSame(entry, caches.of(other).get(Kernels.ADD));
    }

    /** A slice that comes and goes; what it has compiled is kept under this name. */
    private record Passing(int number, Optional<String> codeName) implements Arbiter.Share {}

    @Test
    void slicesOfOneNameHaveTheirCodeInCommonAlsoWhenTheyHaveGone() {
        ModuleCaches caches = new ModuleCaches();
        ModuleCache.Entry entry = caches.of(new Passing(1, Optional.of("user a"))).get(Kernels.ADD);
        System.gc();
        assertSame(entry, caches.of(new Passing(2, Optional.of("user a"))).get(Kernels.ADD));
        assertNotSame(entry, caches.of(new Passing(3, Optional.of("user b"))).get(Kernels.ADD));
        assertNotSame(entry, caches.of(new Passing(4, Optional.empty())).get(Kernels.ADD));
        assertNotSame(entry, caches.of(one).get(Kernels.ADD));
    }

    @Test
    void namesThatWereNotUsedForLongAreForgotten() {
        ModuleCaches caches = new ModuleCaches();
        Arbiter.Share first = new Passing(0, Optional.of("user 0"));
        Arbiter.Share second = new Passing(1, Optional.of("user 1"));
        ModuleCache kept = caches.of(first);
        ModuleCache forgotten = caches.of(second);
        for (int i = 2; i <= 16; i++) {
            caches.of(new Passing(i, Optional.of("user " + i)));
            assertSame(kept, caches.of(first));
        }
        assertNotSame(forgotten, caches.of(second));
    }

    /** Or one that waits for its share would keep the others of its user waiting. */
    @Test
    void slicesOfOneNameCompileEachForItself() {
        ModuleCaches caches = new ModuleCaches();
        Arbiter.Share first = new Passing(1, Optional.of("user a"));
        assertSame(caches.room(first), caches.room(first));
        assertNotSame(caches.room(first), caches.room(new Passing(2, Optional.of("user a"))));
    }

    @Test
    void olderCodeIsForgottenWhenThereIsTooMuch() {
        ModuleCache cache = new ModuleCache();
        ModuleCache.Entry first = cache.get(Kernels.ADD);
        ModuleCache.Entry second = cache.get(Kernels.SPIN);
        assertSame(first, cache.get(Kernels.ADD));
        cache.keep(Kernels.ADD.length());
        assertSame(first, cache.get(Kernels.ADD));
        assertNotSame(second, cache.get(Kernels.SPIN));
    }

    @Test
    void whatTheCompilerRefusesIsTheDevicesError() {
        Context context = context(one);
        try {
            CompletableFuture.supplyAsync(() -> context.load("nonsense")).join();
            throw new AssertionError("it was loaded");
        } catch (CompletionException e) {
            assertTrue(e.getCause() instanceof DeviceException, () -> "" + e.getCause());
        }
        assertTrue(context.fault().isEmpty());
    }

    /** A process that serves one slice after the other makes new devices for each. */
    @Test
    void devicesWithCommonCodeFindWhatOthersHaveMade() {
        CpuDevices kind = CpuDevices.withCommonCode();
        DeviceProfile profile = kind.profile("Test GPU", 64 << 20, 1);
        ModuleCache.Entry entry;
        try (Device first = kind.create(profile, 1)) {
            entry =
                    ((CpuDevice) first)
                            .modules()
                            .of(new Passing(1, Optional.empty()))
                            .get(Kernels.ADD);
        }
        try (Device second = kind.create(profile, 1)) {
            ModuleCaches modules = ((CpuDevice) second).modules();
            assertSame(entry, modules.of(new Passing(2, Optional.of("user a"))).known(Kernels.ADD));
            second.trim();
            assertNull(modules.of(new Passing(3, Optional.empty())).known(Kernels.ADD));
        }
        CpuDevices apart = new CpuDevices();
        try (Device first = apart.create(profile, 1);
                Device second = apart.create(profile, 1)) {
            Passing share = new Passing(1, Optional.of("user a"));
            ModuleCache.Entry own = ((CpuDevice) first).modules().of(share).get(Kernels.ADD);
            assertNotSame(own, ((CpuDevice) second).modules().of(share).get(Kernels.ADD));
        }
    }
}
