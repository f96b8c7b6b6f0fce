package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Joins a pool. */
@Command(
        name = "join",
        description = {
            "Joins the pool of another machine; its devices can be used here, and this one's there.",
            "One member is enough to find the others. A daemon that is started again is back."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:this machine is in the pool",
            "1:it is in one already, no daemon answers, or the token is none",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet join gpu1:7412 --token-file pool-token",
            "  facet pool join 10.0.0.7:7412 10.0.0.8:7412 --token-file t --name web3 --listen off"
        })
final class PoolJoin extends Query {
    private static final int LONGEST = 4096;

    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    @Parameters(
            paramLabel = "ADDRESS",
            arity = "1..*",
            description = "Members of the pool: HOST:PORT; the port is 7412 where it is left out.")
    private List<String> seeds = List.of();

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description = "The pool's token, as 'facet pool init' made it.")
    private Path token = Path.of("");

    @Mixin private PoolPlace place = new PoolPlace();

    PoolJoin() {
        super("pool-join");
    }

    @Override
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("seeds", String.join(",", seeds));
        all.put("token", secret(token));
        place.addTo(all);
        return all;
    }

    private static String secret(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new CommandFailure(file + " is too long to be a pool token");
            }
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new CommandFailure(
                        "other users can read " + file + "; do 'chmod 600 " + file + "'");
            }
            return Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (NoSuchFileException e) {
            throw new CommandFailure(
                    "there is no file " + file + "; 'facet pool init' on another machine makes it",
                    e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    String text(JsonNode answer) {
        return PoolStatus.describe(answer);
    }
}
