package facet.kube.cli;

import facet.kube.serve.HttpsDoor;
import facet.kube.serve.ServerKeys;
import facet.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Where a part of Facet answers others. */
final class DoorOptions {
    @Option(
            names = "--authority",
            required = true,
            paramLabel = "DIR",
            description = "a folder with authority.crt, authority.key and token")
    String authority = "";

    @Option(
            names = "--address",
            defaultValue = "0.0.0.0",
            description = "where it listens (${DEFAULT-VALUE})")
    String address = "0.0.0.0";

    @Option(names = "--port", defaultValue = "8443", description = "(${DEFAULT-VALUE})")
    int port = 8443;

    /** Answers for as long as the process runs. */
    void serve(String part, String namespace, Map<String, Function<String, String>> places, Log log)
            throws IOException, GeneralSecurityException, InterruptedException {
        ClusterOptions.Secrets secrets = ClusterOptions.Secrets.read(Path.of(authority));
        ServerKeys keys = secrets.keys("facet-" + part, namespace);
        try (HttpsDoor open =
                HttpsDoor.open(
                        address,
                        port,
                        keys,
                        secrets.token(),
                        Map.of("/healthz", _ -> "ok"),
                        places)) {
            log.info(part, "answers at port " + open.port());
            keepRenewing(keys, log);
        }
    }

    private static void keepRenewing(ServerKeys keys, Log log) throws InterruptedException {
        while (true) {
            TimeUnit.HOURS.sleep(1);
            try {
                if (keys.renew(Instant.now())) {
                    log.info(
                            "door", "a new certificate, until " + keys.certificate().getNotAfter());
                }
            } catch (GeneralSecurityException e) {
                log.error("door", "the certificate could not be renewed: " + e.getMessage());
            }
        }
    }
}
