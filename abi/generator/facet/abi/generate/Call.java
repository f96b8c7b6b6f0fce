package facet.abi.generate;

import java.util.List;

/**
 * A function of an API, a line of its table.
 *
 * @param supported whether it is written by hand; else it answers that it is not supported
 * @param denied whether it answers that nobody may call it, and is not supported otherwise
 * @param versions what the table says: since when, or in which libraries
 * @param variant ptsz or ptds; "" when there is none
 * @param variantSince version of CUDA that first had the variant, or 0
 * @param implementation name of the hand-written function without facet_
 * @param rule what the direct engine does with it
 */
record Call(
        String group,
        boolean supported,
        boolean denied,
        String versions,
        String variant,
        int variantSince,
        Prototype prototype,
        String implementation,
        Rule rule) {

    String symbol() {
        return prototype.name();
    }

    boolean hasVariant() {
        return !variant.isEmpty();
    }

    String variantSymbol() {
        return symbol() + "_" + variant;
    }

    List<String> symbols() {
        return hasVariant() ? List.of(symbol(), variantSymbol()) : List.of(symbol());
    }

    /** The name that programs ask for: cuMemAlloc, whose newest function is cuMemAlloc_v2. */
    String baseName() {
        return symbol().replaceFirst("_v\\d+$", "");
    }

    int since() {
        return Integer.parseInt(versions);
    }

    /** Whether the library of this version of the runtime has it. */
    boolean isIn(String version) {
        return versions.equals("*") || versions.equals(version);
    }

    /** The hand-written function. */
    String handWritten() {
        String name = "facet_" + implementation;
        return hasVariant()
                ? prototype.declaration(name, "bool per_thread")
                : prototype.declaration(name);
    }
}
