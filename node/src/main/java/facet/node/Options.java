package facet.node;

import facet.doors.http.HttpOptions;
import facet.log.Format;
import facet.node.container.Bounds;
import facet.node.pool.PoolOptions;
import facet.slices.Isolation;
import facet.slices.Span;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What facetd was told.
 *
 * @param state where kept slices are
 * @param gpus which kind of devices
 * @param devices the software GPUs
 * @param profile their compute capability; empty: the usual one
 * @param name of the devices; empty: by their kind
 * @param isolation of slices that do not say; empty: as it suits whose they are
 * @param warmWorkers processes that wait for slices with a process of their own
 * @param workerIdle how long such a process stays without sessions
 * @param shareCode who finds the compiled code of others
 * @param sharing whether slices have shares of the devices' time
 * @param log file for log lines, or empty: the error output
 * @param logFormat how they are written
 * @param adminGroup group that may use the control socket, beside the daemon's own user
 * @param containerMost what a container may ask for
 * @param pool which pool it is in, and what other nodes may have
 */
record Options(
        Path runtime,
        Path state,
        Gpus gpus,
        DeviceSizes devices,
        Optional<String> profile,
        Optional<String> name,
        Optional<Isolation> isolation,
        int warmWorkers,
        Duration workerIdle,
        CodeSharing shareCode,
        boolean sharing,
        boolean debug,
        Optional<Path> log,
        Format logFormat,
        Optional<String> adminGroup,
        Bounds containerMost,
        PoolOptions pool,
        HttpOptions http) {

    static final String USAGE =
            """
            Usage: facetd [OPTIONS]

              --runtime-dir DIR   where its sockets are; else $FACET_RUNTIME_DIR, /run/facet (root),
                                  $XDG_RUNTIME_DIR/facet, /tmp/facet-UID
              --state-dir DIR     where it keeps slices; else $FACET_STATE_DIR, 'state' in a runtime
                                  directory that was named, /var/lib/facet (root),
                                  $XDG_STATE_HOME/facet, ~/.local/state/facet
              --gpu KIND          vendor, the machine's GPUs through their vendor's driver; software,
                                  the software GPU; auto, the vendor's where there are some (auto)
              --vendor-libraries DIR  where the vendor's libcuda.so.1 and libnvidia-ml.so.1 are (where
                                  the system's loader finds them)
              --vendor-root DIR   below which dev/nvidia* and proc/driver/nvidia are, for containers
                                  with the direct engine (/)
              --vendor-environment NAME=VALUE,...  what they find in their environment
              --devices N         number of software GPUs (1); or the memory of each, where they are
                                  not alike: 8G,4G; 0: none, slices have devices of a pool
              --memory SIZE       memory of each of them: 8G, 512M (half of the machine's)
              --profile CAPABILITY  their compute capability, with the limits of a typical device:
                                  7.5, 8.0, 8.9, 9.0 or 12.0 (8.9)
              --name NAME         name of the devices, as programs see it
              --isolation KIND    where kernels run, for slices without that setting: process, in a
                                  process of the slice's own; shared, in the daemon; auto, process
                                  for containers and when several users have slices (auto)
              --warm-workers N    processes kept ready for slices with isolation process, 0 to 16 (1)
              --worker-idle TIME  how long such a process stays when no program uses it (30s)
              --share-code KIND   who finds code that was compiled for another one: user, programs
                                  that one user starts by 'facet run', each with a slice of its own;
                                  slice, nobody; all, every slice. Who does can tell what the others
                                  run, and with isolation process gets the process they had (user)
              --no-sharing        do not divide compute: work runs in the order in which it comes
              --admin-group GROUP members may use the control socket too
              --container-most memory=SIZE,compute=PERCENT,priority=N,devices=N,engine=direct
                                  the most that a container gets, whatever it asks for; any of the five.
                                  engine=direct lets containers that ask for it have the vendor's
                                  device files and driver: no boundary, for those one trusts
              --pool-listen ADDRESS:PORT  where other nodes of its pool find it
              --pool-token-file FILE  the pool's token; 'facet pool init' makes one
              --pool-seed ADDRESS:PORT,...  members of the pool that it asks for the others
              --pool-name NAME    its name in the pool (the machine's)
              --pool-most memory=SIZE,compute=PERCENT,priority=N,devices=N
                                  the most that a slice of another node gets; any of the four.
                                  Without the first three it is in the pool that it last joined
              --http ADDRESS:PORT where it listens for HTTP (127.0.0.1:7411), or off; port 0 chooses one
              --token-file FILE   file with the token for HTTP (made by the daemon)
              --tls-certificate FILE  certificate for HTTP in PEM; with --tls-key
              --tls-key FILE      its key in PEM. An address that other machines can reach needs
                                  these three
              --log FILE          log there instead of to the error output
              --log-format FORMAT text; json: one object per line; journal: for systemd (text)
              --debug             log more
              --help              this text
            """;

    private static final String AUTO = "auto";

    private static final String VALUED =
            "--(runtime-dir|state-dir|gpu|vendor-libraries|vendor-root|vendor-environment|devices|memory|profile|name|isolation|warm-workers|worker-idle|share-code|log|log-format|admin-group|container-most|pool-listen|pool-token-file|pool-seed|pool-name|pool-most|http|token-file|tls-certificate"
                    + "|tls-key)";

    /** A wrong command line. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    static Options parse(String[] arguments) throws Wrong {
        Optional<Path> runtime = Optional.empty();
        Optional<Path> state = Optional.empty();
        Gpus.Given gpus = new Gpus.Given();
        String devices = "1";
        Optional<String> memory = Optional.empty();
        Optional<String> profile = Optional.empty();
        Optional<String> name = Optional.empty();
        Optional<Isolation> isolation = Optional.empty();
        int warmWorkers = 1;
        Duration workerIdle = Duration.ofSeconds(30);
        CodeSharing shareCode = CodeSharing.USER;
        boolean sharing = true;
        boolean debug = false;
        Optional<Path> log = Optional.empty();
        Format logFormat = Format.TEXT;
        Optional<String> adminGroup = Optional.empty();
        Bounds containerMost = Bounds.NONE;
        PoolOptions.Given pool = new PoolOptions.Given();
        HttpOptions.Given http = new HttpOptions.Given();
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            String given = null;
            int equals = option.indexOf('=');
            if (option.startsWith("--") && equals > 0) {
                given = option.substring(equals + 1);
                option = option.substring(0, equals);
            }
            if (given == null && option.matches(VALUED)) {
                if (++i == arguments.length) {
                    throw new Wrong(option + " needs a value");
                }
                given = arguments[i];
            }
            String value = given == null ? "" : given;
            switch (option) {
                case "--runtime-dir" -> runtime = Optional.of(Path.of(value).toAbsolutePath());
                case "--state-dir" -> state = Optional.of(Path.of(value).toAbsolutePath());
                case "--gpu" -> gpus.kind(value);
                case "--vendor-libraries" -> gpus.libraries(Path.of(value).toAbsolutePath());
                case "--vendor-root" -> gpus.root(Path.of(value).toAbsolutePath());
                case "--vendor-environment" -> gpus.environment(value);
                case "--devices" -> {
                    devices = value;
                    gpus.shape(option);
                }
                case "--warm-workers" -> warmWorkers = count(option, value, 0);
                case "--worker-idle" -> workerIdle = span(option, value);
                case "--share-code" -> shareCode = shareCode(value);
                case "--memory" -> {
                    memory = Optional.of(value);
                    gpus.shape(option);
                }
                case "--profile" -> {
                    profile = Optional.of(value);
                    gpus.shape(option);
                }
                case "--name" -> {
                    name = Optional.of(value);
                    gpus.shape(option);
                }
                case "--isolation" -> isolation = isolation(value);
                case "--log" -> log = Optional.of(Path.of(value));
                case "--log-format" -> logFormat = format(value);
                case "--admin-group" -> adminGroup = Optional.of(value);
                case "--container-most" -> containerMost = bounds(value);
                case "--pool-listen",
                        "--pool-token-file",
                        "--pool-seed",
                        "--pool-name",
                        "--pool-most" ->
                        pool(option, value, pool);
                case "--http" -> http.address(value);
                case "--token-file" -> http.token(Path.of(value));
                case "--tls-certificate" -> http.certificate(Path.of(value));
                case "--tls-key" -> http.key(Path.of(value));
                case "--no-sharing" -> sharing = false;
                case "--debug" -> debug = true;
                default -> throw new Wrong("there is no option '" + option + "'");
            }
        }
        Optional<Path> named = runtime.or(() -> StateFolders.variable("FACET_RUNTIME_DIR"));
        return new Options(
                runtime.orElseGet(RuntimeFolder::usual),
                state.orElseGet(() -> StateFolders.usual(named)),
                gpus(gpus),
                devices(devices, memory),
                profile,
                name,
                isolation,
                warmWorkers,
                workerIdle,
                shareCode,
                sharing,
                debug,
                log,
                logFormat,
                adminGroup,
                containerMost,
                pool(pool),
                http(http));
    }

    private static void pool(String option, String value, PoolOptions.Given given) throws Wrong {
        try {
            switch (option) {
                case "--pool-listen" -> given.listen(value);
                case "--pool-token-file" -> given.token(Path.of(value));
                case "--pool-seed" -> given.seeds(value);
                case "--pool-name" -> given.node(value);
                default -> given.most(value);
            }
        } catch (IllegalArgumentException e) {
            throw new Wrong(option + ": " + e.getMessage());
        }
    }

    private static PoolOptions pool(PoolOptions.Given given) throws Wrong {
        try {
            return given.options();
        } catch (IllegalArgumentException e) {
            throw new Wrong("--pool-name: " + e.getMessage());
        }
    }

    /** Which profiles there are, the kind of devices knows. */
    void checkProfile(List<String> all) throws Wrong {
        if (profile.isPresent() && !all.contains(profile.get())) {
            throw new Wrong(
                    "--profile is " + String.join(", ", all) + ", not '" + profile.get() + "'");
        }
    }

    private static DeviceSizes devices(String devices, Optional<String> memory) throws Wrong {
        try {
            return DeviceSizes.parse(devices, memory);
        } catch (IllegalArgumentException e) {
            throw new Wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Gpus gpus(Gpus.Given given) throws Wrong {
        try {
            return given.gpus();
        } catch (IllegalArgumentException e) {
            throw new Wrong(String.valueOf(e.getMessage()));
        }
    }

    private static HttpOptions http(HttpOptions.Given given) throws Wrong {
        try {
            return given.options();
        } catch (IllegalArgumentException e) {
            throw new Wrong(String.valueOf(e.getMessage()));
        }
    }

    private static CodeSharing shareCode(String value) throws Wrong {
        return CodeSharing.of(value)
                .orElseThrow(() ->
                        new Wrong(
                                "--share-code is " + CodeSharing.WORDS + ", not '" + value + "'"));
    }

    private static Bounds bounds(String text) throws Wrong {
        try {
            return Bounds.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Wrong("--container-most: " + e.getMessage());
        }
    }

    private static Optional<Isolation> isolation(String text) throws Wrong {
        if (text.equals(AUTO)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Isolation.parse(text));
        } catch (IllegalArgumentException e) {
            throw new Wrong("--isolation is process, shared or auto, not '" + text + "'");
        }
    }

    private static Format format(String text) throws Wrong {
        try {
            return Format.of(text);
        } catch (IllegalArgumentException e) {
            throw new Wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Duration span(String option, String text) throws Wrong {
        try {
            return Span.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Wrong(option + ": " + e.getMessage());
        }
    }

    private static int count(String option, String text, int least) throws Wrong {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= 16) {
                return number;
            }
        } catch (NumberFormatException e) {
            // WrittenSetting below, as for a number out of range.
        }
        throw new Wrong(option + " is " + least + " to 16, not '" + text + "'");
    }
}
