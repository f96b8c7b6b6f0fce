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
    record Uniform() implements Shape {
        @Override
        public boolean isUniform() {
            return true;
        }

        @Override
        public boolean isVarying() {
            return false;
        }

        @Override
        public Shape join(Shape other) {
            return equals(other) ? this : VARYING;
        }
    }

    /**
     * {@code uniform + stride * tid.x} in the arithmetic of the value's own width.
     *
     * @param stride never 0, in units of the value: bytes for an address
     * @param exact false where the value was widened from fewer bits. Then it holds for threads
     *     between which the narrow value does not wrap around: whoever relies on it compares the
     *     first and the last thread of a group, whose difference is right only without a wrap.
     */
    record Affine(long stride, boolean exact) implements Shape {
        @Override
        public boolean isUniform() {
            return false;
        }

        @Override
        public boolean isVarying() {
            return false;
        }

        @Override
        public Shape join(Shape other) {
            if (equals(other)) {
                return this;
            }
            boolean same = other instanceof Affine affine && affine.stride == stride;
            return same ? new Affine(stride, false) : VARYING;
        }
    }

    /** Nothing is known. */
    record Varying() implements Shape {
        @Override
        public boolean isUniform() {
            return false;
        }

        @Override
        public boolean isVarying() {
            return true;
        }

        @Override
        public Shape join(Shape other) {
            return this;
        }
    }

    static Shape affine(long stride, boolean exact) {
        return stride == 0 ? (exact ? UNIFORM : VARYING) : new Affine(stride, exact);
    }

    // No default methods: for their sake the records would initialize this interface, which
    // initializes them, and two threads could wait for each other.

    boolean isUniform();

    boolean isVarying();

    /** What holds for a value that has either shape, the choice being the same in all threads. */
    Shape join(Shape other);
}
