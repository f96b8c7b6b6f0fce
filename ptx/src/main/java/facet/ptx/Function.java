package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel ({@code .entry}) or a device function ({@code .func}).
 *
 * @param directives performance-tuning and other directives before the body, in order
 * @param body null for a declaration without one
 */
public record Function(
        Position position,
        Linkage linkage,
        boolean kernel,
        String name,
        List<Variable> results,
        List<Variable> parameters,
        List<Directive> directives,
        @Nullable List<Statement> body)
        implements Declaration {

    /** {@code .maxntid 256, 1, 1}, {@code .noreturn}, {@code .pragma "nounroll";}. */
    public record Directive(String name, List<Long> values, List<String> texts) {}

    public boolean has(String directive) {
        for (Directive each : directives) {
            if (each.name().equals(directive)) {
                return true;
            }
        }
        return false;
    }
}
