package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions of an API. All tables of calls have the same lines; driver.table explains them.
 *
 * @param exports symbols that are no calls
 */
record ApiTable(String file, List<Call> calls, List<String> exports) {
    private static final Pattern CALL =
            Pattern.compile(
                    "(local|missing|denied)\\s+(\\S+)\\s+(\\S+)\\s+(?:%s\\s+)?(.*?)(?:\\s+=\\s*(\\w+))?"
                            .formatted(Rule.PATTERN));
    private static final Pattern VARIANT = Pattern.compile("(ptsz|ptds)(?::(\\d+))?");

    /**
     * @param result of a missing function of which only the name stands in the table
     */
    static ApiTable read(Path file, String result) throws IOException {
        List<Call> calls = new ArrayList<>();
        Set<String> symbols = new HashSet<>();
        Map<String, Call> implementations = new HashMap<>();
        List<String> exports = new ArrayList<>();
        String group = "";
        for (Table.Line line : Table.read(file).lines()) {
            if (line.words().getFirst().equals("group")) {
                group = line.textAfter(1);
                continue;
            }
            if (line.words().getFirst().equals("export")) {
                exports.add(line.textAfter(1));
                continue;
            }
            Call call = call(line, group, result);
            if (!symbols.add(call.symbol() + " " + call.versions())) {
                throw line.error("there are two lines for " + call.symbol());
            }
            Call other = implementations.putIfAbsent(call.implementation(), call);
            if (other != null && call.supported() && !sameArguments(call, other)) {
                throw line.error(
                        call.symbol()
                                + " and "
                                + other.symbol()
                                + " have other arguments; they cannot both be facet_"
                                + call.implementation());
            }
            calls.add(call);
        }
        return new ApiTable(
                "abi/tables/" + file.getFileName(), List.copyOf(calls), List.copyOf(exports));
    }

    private static boolean sameArguments(Call one, Call other) {
        return one.hasVariant() == other.hasVariant()
                && one.prototype().parameters().equals(other.prototype().parameters());
    }

    private static Call call(Table.Line line, String group, String result) {
        Matcher matcher = CALL.matcher(line.text());
        if (!matcher.matches()) {
            throw line.error("a line is: local|missing|denied versions variant prototype [= name]");
        }
        boolean supported = matcher.group(1).equals("local");
        boolean denied = matcher.group(1).equals("denied");
        String text = matcher.group(6);
        if (!supported && text.matches("\\w+")) {
            text = result + " " + text + "(void)";
        }
        Prototype prototype = Prototype.parse(line, text);
        if (!supported && !prototype.result().equals(result)) {
            throw line.error("only a function that returns " + result + " can be missing");
        }
        String variant = "";
        int variantSince = 0;
        if (!matcher.group(3).equals("-")) {
            Matcher parts = VARIANT.matcher(matcher.group(3));
            if (!parts.matches()) {
                throw line.error("the variant is -, ptsz or ptds, not " + matcher.group(3));
            }
            variant = parts.group(1);
            variantSince = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
        }
        String implementation = matcher.group(7) == null ? prototype.name() : matcher.group(7);
        return new Call(
                group,
                supported,
                denied,
                matcher.group(2),
                variant,
                variantSince,
                prototype,
                implementation,
                Rule.of(matcher.group(4), matcher.group(5)));
    }
}
