package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.PtxException;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A function that the device itself provides: a line of {@code builtins.table}.
 *
 * @param owner class in {@code facet.jit.runtime} that has the method
 * @param result null when it has none
 */
public record Builtin(
        String name,
        String owner,
        String method,
        Need need,
        @Nullable Type result,
        List<Parameter> parameters) {

    /** What a kernel that calls it must find. */
    public enum Need {
        NOTHING,
        HEAP,
        RUNTIME,
        LAUNCHES,
        WAITING;

        public boolean heap() {
            return this == HEAP || this == LAUNCHES || this == WAITING;
        }

        public boolean runtime() {
            return this == RUNTIME || this == LAUNCHES || this == WAITING;
        }
    }

    /** One number, or a structure of several. */
    public record Parameter(Type type, int count) {
        private long bytes() {
            return (long) type.bytes() * count;
        }

        private static Parameter of(String word) {
            int times = word.indexOf('x');
            return times < 0
                    ? new Parameter(typeOf(word), 1)
                    : new Parameter(
                            typeOf(word.substring(0, times)),
                            Integer.parseInt(word.substring(times + 1)));
        }
    }

    private static final String PREFIX = "__cudaCDP2";
    private static final String SUFFIX = "_ptsz";
    private static final Map<String, Builtin> TABLE = read();

    /** The host's name of a function of the device runtime; any other name as it is. */
    public static String plainName(String name) {
        String plain = name.startsWith(PREFIX) ? "cuda" + name.substring(PREFIX.length()) : name;
        return plain.startsWith("cuda") && plain.endsWith(SUFFIX)
                ? plain.substring(0, plain.length() - SUFFIX.length())
                : plain;
    }

    static Collection<Builtin> all() {
        return TABLE.values();
    }

    static Optional<Builtin> find(String name) {
        return Optional.ofNullable(TABLE.get(plainName(name)));
    }

    /** Throws when the function is declared with other parameters than it has. */
    void check(Function declaration) {
        boolean fits = declaration.parameters().size() == parameters.size();
        for (int i = 0; fits && i < parameters.size(); i++) {
            fits = declaration.parameters().get(i).bytes() == parameters.get(i).bytes();
        }
        List<Variable> results = declaration.results();
        fits &= results.isEmpty() || results.size() == 1 && result != null;
        if (fits && !results.isEmpty() && result != null) {
            fits = results.getFirst().bytes() == result.bytes();
        }
        if (!fits) {
            throw new PtxException(
                    PtxException.Kind.INVALID,
                    declaration.position(),
                    declaration.name()
                            + " is a function of the device, and is declared with other"
                            + " parameters or results than it has");
        }
    }

    private static Type typeOf(String word) {
        return switch (word) {
            case "b32" -> Type.B32;
            case "b64" -> Type.B64;
            default -> throw new IllegalStateException("builtins.table has the type " + word);
        };
    }

    private static Map<String, Builtin> read() {
        Map<String, Builtin> table = new HashMap<>();
        try (InputStream stream =
                        Objects.requireNonNull(
                                Builtin.class.getResourceAsStream("builtins.table"));
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    Builtin builtin = of(line.split(" +", -1));
                    table.put(builtin.name(), builtin);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(table);
    }

    private static Builtin of(String[] words) {
        return new Builtin(
                words[0],
                words[1],
                words[2],
                Need.valueOf(words[3].toUpperCase(Locale.ROOT)),
                words[4].equals("-") ? null : typeOf(words[4]),
                Arrays.stream(words).skip(5).map(Parameter::of).toList());
    }
}
