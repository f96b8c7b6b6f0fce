package facet.jit.matrix;

/** Of sums of doubles. */
public enum Rounding {
    NEAREST,
    ZERO,
    DOWN,
    UP
}
