package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The vendor's real libraries, without a device: every symbol that they export resolves through the
 * direct engine, and they answer themselves. Debian has them in non-free; they are unpacked into a
 * folder that goes with the test, and never installed.
 */
class VendorLibrariesTest {
    private static final Path TESTS = Places.ROOT.resolve("native/target/test");
    private static final int DOWNLOAD_SECONDS = 240;

    /** CUDA_ERROR_NO_DEVICE. */
    private static final int NO_DEVICE = 100;

    /** Where this machine has Debian's packages from. */
    private static String mirror(Path folder) {
        Outcome outcome =
                Runner.run(
                        List.of(
                                "apt-get",
                                "indextargets",
                                "--format",
                                "$(REPO_URI)",
                                "Origin: Debian",
                                "Label: Debian"),
                        folder,
                        Map.of());
        assumeTrue(
                outcome.ok() && !outcome.output().isBlank(),
                "this machine has no list of Debian's packages; 'apt-get update' fetches it");
        return outcome.output().lines().findFirst().orElseThrow();
    }

    /** From the distribution, with a configuration of apt that touches nothing of the machine's. */
    private static Path unpacked(Path folder, String suite) throws IOException {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/apt-get"))
                        && Files.exists(Path.of("/usr/share/keyrings/debian-archive-keyring.gpg")),
                "there is no apt with Debian's keys here");
        for (String each : List.of("state/lists/partial", "cache/archives/partial", "root")) {
            Files.createDirectories(folder.resolve(each));
        }
        Path sources = folder.resolve("sources.list");
        Files.writeString(
                sources,
                "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
                        + " "
                        + mirror(folder)
                        + " "
                        + suite
                        + " non-free\n");
        Path configuration = folder.resolve("apt.conf");
        Files.writeString(
                configuration,
                """
                Dir::State "%1$s/state";
                Dir::State::status "/dev/null";
                Dir::Cache "%1$s/cache";
                Dir::Etc::sourcelist "%1$s/sources.list";
                Dir::Etc::sourceparts "/dev/null";
                APT::Sandbox::User "";
                Acquire::Retries "1";
                Acquire::http::Timeout "20";
                """
                        .formatted(folder));
        Map<String, String> environment = Map.of("APT_CONFIG", configuration.toString());
        Outcome update =
                Runner.run(
                        List.of("apt-get", "--error-on=any", "update"),
                        folder,
                        environment,
                        DOWNLOAD_SECONDS);
        assumeTrue(update.ok(), "Debian's non-free cannot be reached: " + update.errors());
        Outcome download =
                Runner.run(
                        List.of("apt-get", "download", "libcuda1"),
                        folder,
                        environment,
                        DOWNLOAD_SECONDS);
        assumeTrue(download.ok(), "libcuda1 cannot be fetched: " + download.errors());
        try (Stream<Path> files = Files.list(folder)) {
            Path archive =
                    files.filter(each -> each.toString().endsWith(".deb"))
                            .findFirst()
                            .orElseThrow();
            Outcome unpack =
                    Runner.run(
                            List.of("dpkg-deb", "-x", archive.toString(), folder + "/root"),
                            folder,
                            Map.of());
            assertTrue(unpack.ok(), unpack.report());
        }
        try (Stream<Path> files = Files.walk(folder.resolve("root"))) {
            return files.filter(each -> each.endsWith("libcuda.so.1")).findFirst().orElseThrow();
        }
    }

    /** The names that a version of the vendor's libcuda exports. */
    private static List<String> names(String version) throws IOException {
        List<String> names = new ArrayList<>();
        boolean driver = false;
        for (String line : Files.readAllLines(Places.ROOT.resolve("abi/tables/vendor.table"))) {
            List<String> words = List.of(line.split("\\s+"));
            if (words.getFirst().equals("library")) {
                driver = words.get(1).equals("libcuda");
            } else if (driver && words.subList(1, words.size()).contains(version)) {
                names.add(words.getFirst());
            }
        }
        return names;
    }

    @ParameterizedTest
    @CsvSource({"bookworm, 535, 620, 12020", "trixie, 550, 656, 12040"})
    void everySymbolResolves(
            String suite, String version, int count, int cuda, @TempDir Path folder)
            throws IOException {
        Path library = unpacked(folder, suite);
        Path written = Files.createDirectory(folder.resolve("written"));
        DirectEngine.write(library, written);
        List<String> names = names(version);
        assertEquals(count, names.size());
        Path list = folder.resolve("names");
        Files.write(list, names);
        Map<String, String> environment =
                DirectEngine.environment(
                        written,
                        Objects.requireNonNull(library.getParent()),
                        "/nowhere",
                        "/nowhere",
                        false);
        Outcome outcome =
                Runner.run(
                        List.of("sh", "-c", TESTS.resolve("resolve") + " < " + list),
                        folder,
                        environment);
        assertTrue(outcome.ok(), outcome.report());
        // Without a device the vendor's own driver says so, before anybody asks the slice.
        assertEquals(
                "found %d\ncuInit %d\ncuDriverGetVersion 0 %d\n".formatted(count, NO_DEVICE, cuda),
                outcome.output(),
                outcome.report());
    }
}
