package facet.bench;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long the packaged daemon takes from exec to its first answer, and to the result of the first
 * program. Uses the tarball in {@code target/package}.
 */
final class ColdStart implements Measurement {
    private static final Path TARBALLS = Places.inRepository("target/package");
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
    private static final int PATIENCE_SECONDS = 30;

    /**
     * @param options for the daemon's JVM
     * @param cold whether files must be read from disk
     */
    private record Variant(String name, String options, boolean cold) {}

    private static final List<Variant> VARIANTS =
            List.of(
                    new Variant("with the archive of classes", "", false),
                    new Variant("without it", "-Xshare:off", false),
                    new Variant("with it, page cache dropped", "", true),
                    new Variant("without it, page cache dropped", "-Xshare:off", true));

    /** Milliseconds since exec. */
    private record Times(double answer, double program) {}

    @Override
    public String name() {
        return "cold-start";
    }

    @Override
    public String about() {
        return "the packaged daemon from exec to its first answer and to the first program's result, in ms (medians)";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("variant", "variant")
                        .column("answer", "answer")
                        .column("worst", "worst")
                        .column("program", "program")
                        .column("wanted", "wanted");
        Path folder = Files.createTempDirectory("facet-start");
        try {
            unpack(folder);
            Path home = folder.resolve("usr/lib/facet");
            start(home, folder, VARIANTS.getFirst()); // so that all files have been read once
            for (Variant variant : VARIANTS) {
                if (variant.cold() && !Files.isWritable(DROP_CACHES)) {
                    continue;
                }
                List<Double> answers = new ArrayList<>();
                List<Double> programs = new ArrayList<>();
                for (int i = 0; i < 5 * options.rounds(); i++) {
                    Times times = start(home, folder, variant);
                    answers.add(times.answer());
                    programs.add(times.program());
                }
                var row = table.row();
                row.put("variant", variant.name());
                double answer = Statistics.median(answers);
                row.put("answer", answer);
                Figure.atMost(table, variant.name() + ", until it answers", answer, 1000, " ms");
                row.put("worst", answers.stream().max(Comparator.naturalOrder()).orElseThrow());
                row.put("program", Statistics.median(programs));
                row.put("wanted", "1000");
            }
        } finally {
            delete(folder);
        }
        return table;
    }

    private static void unpack(Path folder) throws IOException, InterruptedException {
        Path tarball;
        try (Stream<Path> files = Files.list(TARBALLS)) {
            tarball =
                    files.filter(each -> each.toString().endsWith(".tar.xz"))
                            .findFirst()
                            .orElseThrow(() -> new IOException("run ./facet package first"));
        }
        await(new ProcessBuilder("tar", "-C", folder.toString(), "-xf", tarball.toString()));
    }

    private static Times start(Path home, Path folder, Variant variant)
            throws IOException, InterruptedException {
        Path runtime = Files.createTempDirectory(folder, "run");
        if (variant.cold()) {
            await(new ProcessBuilder("sync"));
            Files.writeString(DROP_CACHES, "3");
        }
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("bin/facetd").toString(), "--http", "off")
                        .redirectErrorStream(true)
                        .redirectOutput(runtime.resolve("log").toFile());
        builder.environment().put("FACET_RUNTIME_DIR", runtime.toString());
        builder.environment().put("FACET_JAVA_OPTS", variant.options());
        long started = System.nanoTime();
        Process daemon = builder.start();
        try {
            ask(runtime.resolve("control"), daemon, started);
            double answer = (System.nanoTime() - started) / 1e6;
            ProcessBuilder program =
                    new ProcessBuilder(
                            home.resolve("bin/facet-run").toString(),
                            home.resolve("demo/intruder").toString(),
                            home.resolve("demo/kernels.ptx").toString());
            program.environment().put("FACET_RUNTIME_DIR", runtime.toString());
            await(program.redirectOutput(ProcessBuilder.Redirect.DISCARD));
            return new Times(answer, (System.nanoTime() - started) / 1e6);
        } finally {
            daemon.destroy();
            daemon.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Waits until the daemon answers a request. */
    private static void ask(Path socket, Process daemon, long started)
            throws IOException, InterruptedException {
        while (daemon.isAlive()
                && System.nanoTime() - started < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket));
                channel.write(ByteBuffer.wrap("status\n".getBytes(StandardCharsets.UTF_8)));
                if (channel.read(ByteBuffer.allocate(4096)) > 0) {
                    return;
                }
            } catch (IOException e) {
                // Not yet: the socket appears when the daemon is ready.
                Thread.sleep(1);
            }
        }
        throw new IOException("the daemon did not start: " + socket);
    }

    private static void await(ProcessBuilder builder) throws IOException, InterruptedException {
        int status = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        if (status != 0) {
            throw new IOException(builder.command() + " ended with " + status);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
