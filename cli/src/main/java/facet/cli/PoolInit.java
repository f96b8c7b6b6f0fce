package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a pool. */
@Command(
        name = "init",
        description = {
            "Makes a pool with this machine in it, and its token.",
            "Whoever has the token is a member: keep the file to yourself."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the pool is there",
            "1:this machine is in one already, or no daemon answers",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  facet pool init", "  facet pool init --listen 10.0.0.7:7412 --name gpu1"})
final class PoolInit extends Query {
    @Mixin private PoolPlace place = new PoolPlace();

    PoolInit() {
        super("pool-init");
    }

    @Override
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        place.addTo(all);
        return all;
    }

    @Override
    String text(JsonNode answer) {
        String listens = answer.path("listens").asText();
        String port = listens.substring(listens.lastIndexOf(':') + 1);
        return """
        pool %s, with node %s, which listens at %s
        its token is in %s

        On another machine, with a copy of that file that only its owner can read:
          facet up
          facet join %s:%s --token-file pool-token
        """
                .formatted(
                        answer.path("pool").asText(),
                        answer.path("node").asText(),
                        listens,
                        answer.path("tokenFile").asText(),
                        host(answer, listens),
                        port);
    }

    /** Who listens everywhere is found by its name. */
    private static String host(JsonNode answer, String listens) {
        String host = listens.substring(0, Math.max(0, listens.lastIndexOf(':')));
        return host.equals("0.0.0.0") || host.equals("[::]") ? answer.path("node").asText() : host;
    }
}
