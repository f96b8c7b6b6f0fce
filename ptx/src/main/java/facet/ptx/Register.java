package facet.ptx;

/**
 * A declared register. Inline assembly opens scopes that declare the same name again, so identity
 * is the {@code id}, unique within a function and counted in order of declaration.
 *
 * @param lanes 1, or 2 or 4 for a register declared {@code .v2} or {@code .v4}
 */
public record Register(String name, Type type, int lanes, int id) implements Operand {}
