package facet.ptx.flow;

/**
 * How a value differs between threads that read it together.
 *
 * <pre>
 *            Varying
 *      /        |        \
 *  Uniform  Affine(4)  Affine(-1) …   (each inexact, and exact below it)
 *      \        |        /
 *          (undefined)
 * </pre>
 */
public sealed interface Shape {
    Shape UNIFORM = new Uniform();
    Shape VARYING = new Varying();

    /** The same in all threads. */
    record Uniform() implements Shape {}

    /**
     * {@code uniform + stride * tid.x} in the arithmetic of the value's own width.
     *
     * @param stride never 0, in units of the value: bytes for an address
     * @param exact false where the value was widened from fewer bits. Then it holds for threads
     *     between which the narrow value does not wrap around: whoever relies on it compares the
     *     first and the last thread of a group, whose difference is right only without a wrap.
     */
    record Affine(long stride, boolean exact) implements Shape {}

    /** Nothing is known. */
    record Varying() implements Shape {}

    static Shape affine(long stride, boolean exact) {
        return stride == 0 ? (exact ? UNIFORM : VARYING) : new Affine(stride, exact);
    }

    default boolean isUniform() {
        return this instanceof Uniform;
    }

    default boolean isVarying() {
        return this instanceof Varying;
    }

    /** What holds for a value that has either shape, the choice being the same in all threads. */
    default Shape join(Shape other) {
        if (equals(other)) {
            return this;
        }
        if (this instanceof Affine a && other instanceof Affine b && a.stride == b.stride) {
            return new Affine(a.stride, false);
        }
        return VARYING;
    }
}
