package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** How the daemon is. */
@Command(
        name = "status",
        description = "Shows whether a daemon is running, and what it serves.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it runs", "1:no daemon answers", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {"  facet status", "  facet status -o json"})
final class Status extends Query {
    Status() {
        super("status");
    }

    @Override
    String text(JsonNode answer) {
        return """
        daemon    running, process %d, for %s
        sockets   %s
        state     %s
        http      %s
        devices   %d, of compute capability %s
        slices    %d
        programs  %d
        """
                        .formatted(
                                answer.path("pid").asLong(),
                                Units.seconds(answer.path("uptimeSeconds").asLong()),
                                answer.path("runtimeDirectory").asText(),
                                answer.path("stateDirectory").asText("-"),
                                http(answer),
                                answer.path("devices").asInt(),
                                answer.path("computeCapability").asText("-"),
                                answer.path("slices").asInt(),
                                answer.path("sessions").asInt())
                + stalled(answer);
    }

    private static String stalled(JsonNode answer) {
        StringBuilder lines = new StringBuilder();
        answer.path("stalledDrivers")
                .forEach(each -> lines.append("stalled   ").append(each.asText()).append('\n'));
        return lines.toString();
    }

    /** The token's file, not the token. */
    private static String http(JsonNode answer) {
        JsonNode file = answer.path("httpTokenFile");
        return answer.path("http").asText("-")
                + (file.isMissingNode() ? "" : ", token in " + file.asText());
    }
}
