package facet.device.nvidia;

import facet.device.FoundDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Finds the devices of the machine, in a process that ends at once ({@link DiscoveryMain}). */
public final class Discovery {
    /** What a driver makes of the devices that it found. */
    private static final List<Path> SIGNS =
            List.of(Path.of("/dev/nvidiactl"), Path.of("/dev/nvidia0"), Path.of("/dev/dxg"));

    private static final int MOST_BYTES = 1 << 20;
    private static final int FIELDS = 6;

    private final VendorSettings settings;
    private final Duration patience;

    /**
     * @param patience until libraries that do not answer are given up
     */
    public Discovery(VendorSettings settings, Duration patience) {
        this.settings = settings;
        this.patience = patience;
    }

    /** Whether there may be devices; quick, and loads nothing. */
    public boolean isWorthALook() {
        return settings.libraries().isPresent() || SIGNS.stream().anyMatch(Files::exists);
    }

    /**
     * @throws IOException when the vendor's libraries are missing, fail, crash or hang
     */
    public List<FoundDevice> find() throws IOException {
        List<FoundDevice> all = new ArrayList<>();
        for (String line : ask(List.of())) {
            String[] words = line.split("\t", FIELDS);
            if (words[0].equals(DiscoveryMain.DEVICE)) {
                all.add(device(words));
            } else if (words[0].equals(DiscoveryMain.INSTANCE) && words.length > 1) {
                // A process of CUDA sees one instance and nothing beside it.
                for (String its : ask(List.of(words[1]))) {
                    all.add(device(its.split("\t", FIELDS)));
                }
            }
        }
        return all;
    }

    private static FoundDevice device(String[] words) throws IOException {
        try {
            List<Integer> attributes =
                    Arrays.stream(words[5].split(",", -1)).map(Integer::valueOf).toList();
            return new FoundDevice(
                    words[1],
                    words[2],
                    Attribute.profile(words[4], Long.parseLong(words[3]), attributes),
                    attributes);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("what the vendor's libraries tell cannot be read", e);
        }
    }

    private List<String> ask(List<String> arguments) throws IOException {
        Process process = new ProcessBuilder(command(arguments)).start();
        process.getOutputStream().close();
        CompletableFuture<String> output = read(process.getInputStream());
        CompletableFuture<String> errors = read(process.getErrorStream());
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "the vendor's libraries did not answer within "
                                + patience.toSeconds()
                                + " s; does nvidia-smi?");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = output.join().lines().toList();
        if (process.exitValue() != 0) {
            throw new IOException(
                    lines.stream()
                            .filter(each -> each.startsWith(DiscoveryMain.ERROR + "\t"))
                            .map(each -> each.split("\t", 2)[1])
                            .findFirst()
                            .orElseGet(() -> crashed(process.exitValue(), errors.join())));
        }
        return lines.stream()
                .filter(each ->
                        each.startsWith(DiscoveryMain.DEVICE + "\t")
                                || each.startsWith(DiscoveryMain.INSTANCE + "\t"))
                .toList();
    }

    private static String crashed(int code, String errors) {
        return "the vendor's libraries ended the process that asked them (code "
                + code
                + ")"
                + errors.lines()
                        .filter(each -> !each.isBlank())
                        .findFirst()
                        .map(each -> ": " + each)
                        .orElse("");
    }

    private List<String> command(List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of("/proc/self/exe").toRealPath().toString());
        words.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-XX:ErrorFile=/dev/null",
                        "-XX:-CreateCoredumpOnCrash",
                        "-Xmx64m"));
        words.addAll(settings.asOptions());
        words.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        DiscoveryMain.class.getName()));
        words.addAll(arguments);
        return words;
    }

    private static CompletableFuture<String> read(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("facet-discovery")
                .start(() -> {
                    try (stream) {
                        text.complete(
                                new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        text.complete("");
                    }
                });
        return text;
    }
}
