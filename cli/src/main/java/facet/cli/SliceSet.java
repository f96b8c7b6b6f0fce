package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Changes a slice. */
@Command(
        name = "set",
        description = {
            "Changes a slice at once, while its programs run. Settings that are not given stay as they are.",
            "With less memory than is in use nothing is taken away; new allocations fail"
                    + " until it fits."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the slice was changed",
            "1:it was refused, or no daemon answers",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet slice set train --memory 8GiB",
            "  facet slice set train --policy burst --compute 30",
            "  facet slice set default --memory 2GiB"
        })
final class SliceSet extends Query {
    @Parameters(paramLabel = "NAME", description = "The slice; 'default' is one too.")
    private String name = "";

    @Mixin private SliceOptions options = new SliceOptions();

    @Mixin private ModelOption model = new ModelOption();

    SliceSet() {
        super("slice-set");
    }

    @Override
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("name", name);
        all.putAll(options.arguments());
        model.addTo(all);
        if (all.size() == 1) {
            throw new ParameterException(
                    spec().commandLine(),
                    "Nothing to change: give at least one setting, for example --memory 4GiB.");
        }
        return all;
    }

    @Override
    String text(JsonNode answer) {
        return Changes.of(answer, Terminal.detect());
    }
}
