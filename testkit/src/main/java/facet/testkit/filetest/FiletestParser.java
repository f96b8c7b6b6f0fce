package facet.testkit.filetest;

import facet.testkit.filetest.Filetest.Argument;
import facet.testkit.filetest.Filetest.ErrorExpectation;
import facet.testkit.filetest.Filetest.Expectation;
import facet.testkit.filetest.Filetest.Global;
import facet.testkit.filetest.Filetest.PrintExpectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header of a file: the comment lines before the first line of PTX. */
final class FiletestParser {
    private static final Pattern DIRECTIVE = Pattern.compile("// ([a-z-]+):(?: (.*))?");
    private static final Pattern CONTINUATION = Pattern.compile("// {3,}(\\S.*)");
    private static final Pattern ARRAY =
            Pattern.compile("(\\w+)\\s+([\\w$%]+)(?:\\[(\\d+)\\])?(?:\\s*=\\s*(.*))?");
    private static final Pattern EXPECT =
            Pattern.compile("([\\w$%]+)(?:\\s+(~\\S+))?\\s*=(?:\\s*(.*))?");
    private static final Pattern USE = Pattern.compile("([\\w$%]+)(?:\\s*\\+\\s*(\\d+))?");
    private static final Pattern ERROR =
            Pattern.compile("(?:(\\d++)(?!:)\\s*)?(?:(\\d+:\\d+)\\s*)?(.*)");

    /** A directive with its continuation lines joined. */
    private record Directive(int line, int lines, String word, String text) {}

    private final List<StepBuilder> steps = new ArrayList<>();
    private @Nullable String mode;
    private @Nullable String fails;
    private @Nullable ErrorExpectation refused;

    private FiletestParser() {}

    static Filetest parse(String ptx) {
        FiletestParser parser = new FiletestParser();
        for (Directive each : directives(ptx)) {
            try {
                parser.directive(each);
            } catch (RuntimeException e) {
                throw new IllegalArgumentException(
                        "line " + each.line() + ", " + each.word() + ": " + e.getMessage(), e);
            }
        }
        return parser.finish(ptx);
    }

    private static List<Directive> directives(String ptx) {
        List<Directive> directives = new ArrayList<>();
        int number = 0;
        for (String line : ptx.lines().toList()) {
            number++;
            if (!line.startsWith("//")) {
                break;
            }
            Matcher start = DIRECTIVE.matcher(line);
            Matcher more = CONTINUATION.matcher(line);
            if (start.matches()) {
                String text = start.group(2) == null ? "" : start.group(2);
                directives.add(new Directive(number, 1, start.group(1), text));
            } else if (more.matches() && !directives.isEmpty()) {
                Directive last = directives.removeLast();
                directives.add(
                        new Directive(
                                last.line(),
                                last.lines() + 1,
                                last.word(),
                                last.text() + " " + more.group(1)));
            }
        }
        return directives;
    }

    private void directive(Directive directive) {
        String text =
                directive.word().equals("expect-print")
                        ? directive.text()
                        : directive.text().strip();
        switch (directive.word()) {
            case "test" -> mode = text;
            case "fails" -> fails = text;
            case "kernel" -> steps.add(new StepBuilder(directive.line(), text));
            case "in", "out" -> step().arguments.add(buffer(text));
            case "use" -> step().arguments.add(use(text));
            case "scalar" -> step().arguments.add(scalar(text));
            case "texture" -> step().arguments.add(TextureParser.parse(text, false));
            case "surface" -> step().arguments.add(TextureParser.parse(text, true));
            case "global" -> step().globals.add(global(text));
            case "expect" -> step().expectations.add(expectation(directive, text));
            case "expect-print" -> step().prints.add(new PrintExpectation(directive.line(), text));
            case "expect-error" -> {
                ErrorExpectation error = error(directive.line(), text);
                if ("refuse".equals(mode)) {
                    refused = error;
                } else {
                    step().error = error;
                }
            }
            default -> throw new IllegalArgumentException("no such directive");
        }
    }

    private StepBuilder step() {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("stands before the first kernel line");
        }
        return steps.getLast();
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("cannot read '" + text + "'");
        }
        return matcher;
    }

    private static int count(Matcher array) {
        return array.group(3) == null ? -1 : Integer.parseInt(array.group(3));
    }

    private static Argument buffer(String text) {
        Matcher array = match(ARRAY, text);
        ElementType type = ElementType.of(array.group(1));
        int count = count(array);
        if (array.group(4) == null && count < 0) {
            throw new IllegalArgumentException("needs a count or values");
        }
        long[] values =
                array.group(4) == null
                        ? new long[count]
                        : Values.parse(type, array.group(4), count);
        return new Argument.Buffer(array.group(2), type, values);
    }

    private static Argument use(String text) {
        Matcher use = match(USE, text);
        long offset = use.group(2) == null ? 0 : Long.parseLong(use.group(2));
        return new Argument.Use(use.group(1), offset);
    }

    private static Argument scalar(String text) {
        Matcher array = match(ARRAY, text);
        if (array.group(4) == null) {
            throw new IllegalArgumentException("needs a value");
        }
        ElementType type = ElementType.of(array.group(1));
        return new Argument.Scalar(
                Values.pack(type, Values.parse(type, array.group(4), count(array))));
    }

    private static Global global(String text) {
        Matcher array = match(ARRAY, text);
        ElementType type = ElementType.of(array.group(1));
        int count = count(array);
        Optional<long[]> values =
                Optional.ofNullable(array.group(4)).map(list -> Values.parse(type, list, count));
        int length = values.map(list -> list.length).orElse(count < 0 ? 1 : count);
        return new Global(array.group(2), type, length, values);
    }

    private static Expectation expectation(Directive directive, String text) {
        Matcher matcher = match(EXPECT, text);
        String tolerance = matcher.group(2) == null ? "" : matcher.group(2);
        String values = matcher.group(3) == null ? "" : matcher.group(3);
        return new Expectation(
                directive.line(),
                directive.lines(),
                matcher.group(1),
                Tolerance.parse(tolerance),
                values);
    }

    private static ErrorExpectation error(int line, String text) {
        Matcher matcher = match(ERROR, text);
        return new ErrorExpectation(
                line,
                matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)),
                matcher.group(2) == null ? "" : matcher.group(2),
                matcher.group(3));
    }

    private Filetest finish(String ptx) {
        boolean refuse = "refuse".equals(mode);
        if (!refuse && !"run".equals(mode)) {
            throw new IllegalArgumentException(
                    "the header has neither 'test: run' nor 'test: refuse'");
        }
        if (refuse ? refused == null : steps.isEmpty()) {
            throw new IllegalArgumentException(refuse ? "no expect-error line" : "no kernel line");
        }
        return new Filetest(
                ptx,
                Optional.ofNullable(refused),
                Optional.ofNullable(fails),
                steps.stream().map(StepBuilder::build).toList());
    }
}
