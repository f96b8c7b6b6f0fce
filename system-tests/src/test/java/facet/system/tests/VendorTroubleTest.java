package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A vendor's driver that goes wrong in the process of a slice: each call fails in turn, hangs,
 * crashes, or is not there. The program is told, a neighbour on the same device notices nothing,
 * and what the program had is given back.
 */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class VendorTroubleTest {
    private static final Builder BUILDER = new Builder();
    private static final int PATIENCE_SECONDS = 120;

    @TempDir static Path folder;

    private static Daemon lower;
    private static Daemon upper;
    private static Control control;
    private static Neighbour neighbour;
    private static List<String> alone;
    private static Path program;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        lower = Daemon.start("2G", "--http", "off");
        Path libraries = libraries("whole");
        Files.createFile(libraries.resolve("calm"));
        upper = onDriver(libraries);
        control = upper.control();
        program = BUILDER.driver(Program.of(Places.DRIVER.resolve("vector_add.c")));
        Path calm = BUILDER.driver(Program.of(Places.DRIVER.resolve("neighbour.c")));
        neighbour = Neighbour.begin(calm, control.slice("neighbour", "256M"));
        neighbour.await(Neighbour.EPOCH);
        alone = neighbour.checksums(0, Neighbour.EPOCH);
        Files.delete(libraries.resolve("calm"));
    }

    /** A driver that is Facet's own behind one that goes wrong. */
    private static Path libraries(String name, String... flags) throws IOException {
        Path into = Files.createDirectory(folder.resolve(name));
        Files.copy(Places.library("libcuda.so.1"), into.resolve("behind.so"));
        Files.copy(Places.library("libnvidia-ml.so.1"), into.resolve("libnvidia-ml.so.1"));
        List<String> command =
                Stream.concat(
                                Stream.of("gcc", "-shared", "-fPIC", "-O1"),
                                Stream.concat(
                                        Stream.of(flags),
                                        Stream.of(
                                                "-o",
                                                into.resolve("libcuda.so.1").toString(),
                                                Places.MODULE
                                                        .resolve("vendor/trouble.c")
                                                        .toString())))
                        .toList();
        Outcome built = Runner.build(command, Places.MODULE);
        assertTrue(built.ok(), built.report());
        return into;
    }

    private static Daemon onDriver(Path libraries) throws IOException, InterruptedException {
        // Workers have users of their own, who are to reach the libraries.
        folder.toFile().setExecutable(true, false);
        folder.toFile().setReadable(true, false);
        return Daemon.start(
                "",
                "--http",
                "off",
                "--gpu",
                "vendor",
                "--vendor-libraries",
                libraries.toString(),
                "--vendor-environment",
                "FACET_SOCKET=" + lower.socket().toRealPath());
    }

    @AfterAll
    static void stop() throws IOException {
        if (neighbour != null) {
            neighbour.close();
        }
        if (control != null) {
            control.close();
        }
        if (upper != null) {
            upper.close();
        }
        lower.close();
    }

    private static void fault(String call, String kind) throws IOException {
        Path next = folder.resolve("fault.next");
        Files.writeString(next, call + " " + kind + "\n");
        Files.move(
                next,
                folder.resolve("whole/fault"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    /** The neighbour has gone on, and all that others had is there again. */
    @AfterEach
    void nothingIsLost() throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("whole/fault"));
        int before = neighbour.count();
        neighbour.await(before + 2);
        neighbour.check(before, alone);
        await(
                () -> sessions(upper) == 1 && sessions(lower) == 1,
                () -> "sessions: " + upper.sessions() + " on " + lower.sessions());
    }

    /** What daemons are asked for. */
    private interface Asked<T> {
        T get() throws IOException;
    }

    private static void await(Asked<Boolean> condition, Asked<String> otherwise)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.get()) {
            assertTrue(System.nanoTime() < end, otherwise.get());
            Thread.sleep(50);
        }
    }

    private static int sessions(Daemon daemon) throws IOException {
        return daemon.sessions().size();
    }

    private static Outcome inSlice(String slice) throws IOException {
        try (Control own = upper.control()) {
            return run(own.slice(Slices.name(slice), "128M"));
        }
    }

    private static Outcome run(String socket) {
        return Runner.run(
                List.of(program.toString()),
                Places.BUILT,
                Slices.environment(socket, false),
                PATIENCE_SECONDS);
    }

    /**
     * Calls that a program needs: it is told, by an error or by none where nothing depends on it.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuInit",
                "cuDeviceGetCount",
                "cuDeviceGet",
                "cuDeviceGetUuid_v2",
                "cuDeviceGetName",
                "cuDeviceTotalMem_v2",
                "cuDeviceGetAttribute",
                "cuMemGetAllocationGranularity",
                "cuMemAddressReserve",
                "cuCtxCreate_v2",
                "cuCtxPopCurrent_v2",
                "cuCtxSetCurrent",
                "cuStreamCreate",
                "cuModuleLoadDataEx",
                "cuModuleGetFunction",
                "cuModuleGetGlobal_v2",
                "cuFuncGetAttribute",
                "cuMemCreate",
                "cuMemMap",
                "cuMemSetAccess",
                "cuMemcpyHtoDAsync_v2",
                "cuMemcpyDtoHAsync_v2",
                "cuEventCreate",
                "cuEventRecord",
                "cuEventSynchronize",
                "cuLaunchKernel"
            })
    void anErrorIsTold(String call) throws IOException {
        fault(call, "error");
        Outcome outcome = inSlice("error");
        assertNotEquals(Outcome.TIME_UP, outcome.status(), outcome.report());
        assertFalse(outcome.ok(), outcome.report());
        assertTrue(
                outcome.output().contains("CUDA_ERROR_") || outcome.errors().contains("facet:"),
                outcome.report());
    }

    /** What only gives something back, or says how quick something was. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuCtxDestroy_v2",
                "cuStreamDestroy_v2",
                "cuEventDestroy_v2",
                "cuModuleUnload",
                "cuMemUnmap",
                "cuMemRelease",
                "cuMemAddressFree",
                "cuOccupancyMaxActiveBlocksPerMultiprocessor"
            })
    void anErrorThatMattersToNobodyIsNotTold(String call) throws IOException {
        fault(call, "error");
        Outcome outcome = inSlice("harmless");
        assertTrue(outcome.ok(), outcome.report());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuInit", "cuMemCreate", "cuModuleLoadDataEx", "cuEventSynchronize"})
    void aCrashIsToldAndTheNextProgramFindsAFreshDriver(String call) throws IOException {
        try (Control own = upper.control()) {
            String socket = own.slice(Slices.name("crash"), "128M");
            fault(call, "crash");
            Outcome outcome = run(socket);
            assertNotEquals(Outcome.TIME_UP, outcome.status(), outcome.report());
            assertFalse(outcome.ok(), outcome.report());
            Files.delete(folder.resolve("whole/fault"));
            Outcome next = run(socket);
            assertTrue(next.ok(), next.report());
        }
    }

    /** As on any GPU the program hangs with its driver; who ends it has everything back. */
    @ParameterizedTest
    @ValueSource(strings = {"cuInit", "cuMemCreate", "cuModuleLoadDataEx", "cuEventSynchronize"})
    void whoHangsIsEndedWithItsDriver(String call) throws IOException, InterruptedException {
        fault(call, "hang");
        try (Control own = upper.control()) {
            String socket = own.slice(Slices.name("hang"), "128M");
            Process process =
                    Runner.start(
                            List.of(program.toString()),
                            Places.BUILT,
                            Slices.environment(socket, false));
            int before = neighbour.count();
            neighbour.await(before + 10);
            neighbour.check(before, alone);
            process.destroyForcibly().waitFor();
            Files.delete(folder.resolve("whole/fault"));
        }
    }

    @Test
    void aMissingCallIsToldByItsName() throws IOException, InterruptedException {
        try (Daemon daemon = onDriver(libraries("partly", "-DWITHOUT_MEMORY"));
                Control own = daemon.control()) {
            long mark = daemon.mark();
            Outcome outcome = run(own.slice(Slices.name("missing"), "128M"));
            assertFalse(outcome.ok(), outcome.report());
            assertTrue(
                    daemon.logSince(mark).contains("libcuda.so.1 has no cuMemCreate"),
                    daemon.logSince(mark));
            await(() -> sessions(daemon) == 0, () -> daemon.sessions().toString());
        }
    }
}
