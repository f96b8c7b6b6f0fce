package facet.node;

import facet.device.cpu.CpuDevices;
import facet.doors.control.Access;
import facet.doors.control.ControlServer;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.RotatingFile;
import facet.log.Who;
import facet.node.worker.WorkerMain;
import facet.os.ServiceManager;
import facet.slices.Isolation;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The daemon's main. */
public final class Facetd {
    static final Mains MAINS = new Mains(new CpuDevices(), Facetd.class, WorkerMain.class);

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final int PATIENCE_SECONDS = 10;

    private Facetd() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, MainsByOptions::choose));
    }

    /** The same with devices of one kind, whatever the command line says of them. */
    public static int run(String[] arguments, Mains mains) {
        return run(arguments, _ -> mains);
    }

    /** Which mains there are to be. */
    interface Choice {
        /**
         * @throws IOException when there are no devices as they are wanted
         */
        Mains of(Options options) throws IOException;
    }

    /** Serves until it is told to stop; the exit code. */
    static int run(String[] arguments, Choice choice) {
        Options options;
        Mains mains;
        try {
            if (arguments.length == 1 && arguments[0].equals("--help")) {
                System.out.print(Options.USAGE);
                return 0;
            }
            options = Options.parse(arguments);
            mains = choice.of(options);
            options.checkProfile(mains.devices().capabilities());
            checkIsolation(options, mains);
        } catch (Options.Wrong e) {
            System.err.println("facetd: " + e.getMessage() + "; facetd --help lists the options");
            return WRONG_USAGE;
        } catch (IOException e) {
            System.err.println("facetd: " + e.getMessage());
            return FAILED;
        }
        // A signal ends the JVM when its hook returns: the folder must be clean by then.
        CountDownLatch clean = new CountDownLatch(1);
        try {
            Access access = Access.of(options.adminGroup());
            // Open to the end of the process: what goes wrong is told when the rest is closed.
            PrintStream out = output(options.log());
            Log log =
                    new Log(
                            out,
                            options.debug() ? Log.Level.DEBUG : Log.Level.INFO,
                            options.logFormat());
            try (RuntimeFolder folder = RuntimeFolder.take(options.runtime(), access);
                    StateFolder state = StateFolder.take(options.state())) {
                Daemon daemon = new Daemon(options, mains, folder, state, log);
                serve(daemon, options, folder, access, log, clean);
                return 0;
            }
        } catch (IOException e) {
            System.err.println("facetd: " + e.getMessage());
            return FAILED;
        } finally {
            clean.countDown();
        }
    }

    private static void checkIsolation(Options options, Mains mains) throws Options.Wrong {
        if (!mains.devices().isSoftware()
                && options.isolation().equals(Optional.of(Isolation.SHARED))) {
            throw new Options.Wrong(
                    "--isolation shared is for software GPUs: a vendor's driver has to be in a process"
                            + " of each slice's own");
        }
    }

    private static void serve(
            Daemon started,
            Options options,
            RuntimeFolder folder,
            Access access,
            Log log,
            CountDownLatch clean)
            throws IOException {
        try (Daemon daemon = started) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .name("facet-signal")
                                    .unstarted(() -> stop(daemon, clean)));
            try (HttpDoors http = new HttpDoors(options.http(), options.state(), daemon, log);
                    ControlServer _ = ControlServer.open(folder.control(), access, daemon, log)) {
                Who facetd = Who.part("facetd");
                daemon.events()
                        .add(
                                Kind.DAEMON_STARTED,
                                facetd,
                                "ready in "
                                        + folder.path()
                                        + ", process "
                                        + ProcessHandle.current().pid());
                ServiceManager manager = ServiceManager.ofThisProcess();
                manager.ready();
                daemon.warmUp();
                http.openUsual();
                daemon.awaitStop();
                manager.stopping();
                daemon.events().add(Kind.DAEMON_STOPPING, facetd, "shutting down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(Daemon daemon, CountDownLatch clean) {
        daemon.stop();
        try {
            if (!clean.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("facetd: work on a device does not end; leaving it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static PrintStream output(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return System.err;
        }
        return new PrintStream(RotatingFile.open(file.get()), true, StandardCharsets.UTF_8);
    }
}
