package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a slice. */
@Command(
        name = "create",
        description = "Creates a slice. It stays until it is deleted.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the slice was created",
            "1:it was refused, or no daemon answers",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet slice create train --memory 4GiB --compute 60",
            "  facet slice create serve -m 1GiB -c 20 -p burst",
            "  facet slice create urgent -p priority --priority 90",
            "  facet slice create remote --memory 8GiB --node gpu1",
            "  facet slice create any-l4 --model L4 --nearest",
            "  facet slice create night -c 5 --calendar 'daily 22:00-06:00 50'",
            "      --time-zone Europe/Berlin"
        })
final class SliceCreate extends Query {
    @Parameters(paramLabel = "NAME", description = "1 to 48 letters, digits, '.', '_' or '-'.")
    private String name = "";

    @Mixin private SliceOptions options = new SliceOptions();

    @Mixin private ModelOption model = new ModelOption();

    SliceCreate() {
        super("slice-create");
    }

    @Override
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("name", name);
        all.putAll(options.arguments());
        model.addTo(all);
        return all;
    }

    @Override
    String text(JsonNode answer) {
        return Changes.of(answer, Terminal.detect())
                + "run a program in it: facet run --slice "
                + name
                + " PROGRAM\n";
    }
}
