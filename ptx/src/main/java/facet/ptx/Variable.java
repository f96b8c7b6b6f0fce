package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable in memory or a parameter (PTX ISA 5.4, 7.1).
 *
 * @param alignment in bytes as written after {@code .align}, 0 when not written
 * @param lanes 1, or 2 or 4 (8) for {@code .v2}, {@code .v4}
 * @param dimensions of an array, outermost first; empty for a scalar; a leading 0 stands for {@code
 *     []}
 * @param initializers one for each element in order, nested as written; the one of a scalar
 * @param pointer of a kernel parameter: what {@code .ptr .global .align 16} says, or null
 * @param attributes {@code .attribute(.managed)}
 */
public record Variable(
        Position position,
        Linkage linkage,
        Space space,
        int alignment,
        Type type,
        int lanes,
        String name,
        List<Long> dimensions,
        List<Initializer> initializers,
        @Nullable Pointer pointer,
        List<Attribute> attributes) {

    public Variable(
            Position position,
            Linkage linkage,
            Space space,
            int alignment,
            Type type,
            int lanes,
            String name,
            List<Long> dimensions,
            List<Initializer> initializers,
            @Nullable Pointer pointer) {
        this(
                position,
                linkage,
                space,
                alignment,
                type,
                lanes,
                name,
                dimensions,
                initializers,
                pointer,
                List.of());
    }

    /** {@code .ptr .space .align n}; the space is null for a generic pointer. */
    public record Pointer(@Nullable Space space, int alignment) {}

    /** {@code managed}, or {@code unified} with the two halves of its identifier. */
    public record Attribute(String name, List<Long> values) {}

    public boolean isArray() {
        return !dimensions.isEmpty();
    }

    /** Size of one element, lanes included. */
    public int elementBytes() {
        return type.bytes(lanes);
    }

    /** {@link Extent#BEYOND} when it cannot be counted. */
    public long bytes() {
        long bytes = elementBytes();
        for (long dimension : dimensions) {
            bytes = Extent.product(dimension, bytes);
        }
        return bytes;
    }

    /** The alignment that holds: the one written, else that of one element. */
    public int effectiveAlignment() {
        return alignment != 0 ? alignment : elementBytes();
    }
}
