package facet.ptx;

import java.util.List;
import java.util.Optional;

/**
 * One PTX text.
 *
 * @param version of the ISA times ten: 9.0 is 90
 * @param targets the first is the architecture ({@code sm_75}), then options such as {@code debug}
 */
public record Module(
        int version, List<String> targets, int addressSize, List<Declaration> declarations) {

    /** The definition of the name, or its declaration when the module has none. */
    public Optional<Function> function(String name) {
        Function found = null;
        for (Declaration each : declarations) {
            if (each instanceof Function function && function.name().equals(name)) {
                if (function.body() != null) {
                    return Optional.of(function);
                }
                found = function;
            }
        }
        return Optional.ofNullable(found);
    }

    public List<Function> kernels() {
        return declarations.stream()
                .filter(each ->
                        each instanceof Function function
                                && function.kernel()
                                && function.body() != null)
                .map(each -> (Function) each)
                .toList();
    }
}
