package facet.kube.cli;

import facet.kube.serve.ServerKeys;
import facet.log.Log;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
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

    /** For as long as the process runs. */
    void keepRenewing(ServerKeys keys, Log log) throws InterruptedException {
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
