package facet.node;

import facet.node.control.ControlServer;
import facet.node.log.Log;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The daemon's main. */
public final class Facetd {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Facetd() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        Options options;
        try {
            if (arguments.length == 1 && arguments[0].equals("--help")) {
                System.out.print(Options.USAGE);
                return 0;
            }
            options = Options.parse(arguments);
        } catch (Options.Wrong e) {
            System.err.println("facetd: " + e.getMessage() + "; facetd --help lists the options");
            return WRONG_USAGE;
        }
        try (RuntimeFolder folder = RuntimeFolder.take(options.runtime());
                PrintStream out = output(options.log())) {
            Log log = new Log(out, options.debug() ? Log.Level.DEBUG : Log.Level.INFO);
            serve(options, folder, log);
            return 0;
        } catch (IOException e) {
            System.err.println("facetd: " + e.getMessage());
            return FAILED;
        }
    }

    private static void serve(Options options, RuntimeFolder folder, Log log) throws IOException {
        AtomicBoolean ended = new AtomicBoolean();
        try (Daemon daemon = new Daemon(options, folder, log)) {
            Thread main = Thread.currentThread();
            Thread hook =
                    Thread.ofPlatform()
                            .name("facet-signal")
                            .unstarted(() -> {
                                daemon.stop();
                                awaitEnd(main, ended);
                            });
            Runtime.getRuntime().addShutdownHook(hook);
            try (ControlServer control = ControlServer.open(folder.control(), daemon, log)) {
                log.info(
                        "facetd",
                        "ready in " + folder.path() + ", process " + ProcessHandle.current().pid());
                daemon.warmUp();
                daemon.awaitStop();
                log.info("facetd", "goes down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (ended) {
                ended.set(true);
                ended.notifyAll();
            }
        }
    }

    /** A signal ends the JVM when this returns: the folder must be clean by then. */
    private static void awaitEnd(Thread main, AtomicBoolean ended) {
        try {
            synchronized (ended) {
                while (!ended.get() && main.isAlive()) {
                    ended.wait(1000);
                }
            }
            main.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static PrintStream output(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return System.err;
        }
        return new PrintStream(
                Files.newOutputStream(
                        file.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                true,
                StandardCharsets.UTF_8);
    }
}
