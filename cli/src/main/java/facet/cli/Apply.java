package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the slices match a file. */
@Command(
        name = "apply",
        description = {
            "Makes the slices match a file: those that are missing are created, others are"
                    + " changed while their programs run.",
            "All of the file is checked first; with a mistake in it nothing is done."
                    + " docs/slices.md explains its keys."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the slices are as the file says",
            "1:there is a mistake, it was refused, or no daemon answers",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet apply -f slices.yaml",
            "  facet apply -f slices.yaml --prune --dry-run",
            "  sed 's/4GiB/8GiB/' slices.yaml | facet apply -f -"
        })
final class Apply extends Query {
    /** So that it fits in a request, percent-encoded. */
    private static final int MOST_BYTES = 256 << 10;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "YAML with a list 'slices'; - for standard input.")
    private String file = "";

    @Option(names = "--prune", description = "Delete kept slices that are not in the file.")
    private boolean prune;

    @Option(names = "--force", description = "With --prune: also those that programs use.")
    private boolean force;

    @Option(names = "--dry-run", description = "Only show what would be done.")
    private boolean dryRun;

    Apply() {
        super("apply");
    }

    @Override
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("prune", Boolean.toString(prune));
        all.put("force", Boolean.toString(force));
        all.put("dryRun", Boolean.toString(dryRun));
        all.put("document", document());
        return all;
    }

    private String document() {
        byte[] bytes;
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new CommandFailure("there is no file " + file, e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new CommandFailure(file + " has more than " + MOST_BYTES + " bytes; split it");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public Integer call() {
        try {
            return super.call();
        } catch (CommandFailure e) {
            String message = String.valueOf(e.getMessage());
            if (!message.startsWith("line ")) {
                throw e;
            }
            throw new CommandFailure((file.equals("-") ? "input" : file) + ", " + message, e);
        }
    }

    @Override
    String text(JsonNode answer) {
        return Changes.of(answer.path("slices"), dryRun, Terminal.detect());
    }
}
