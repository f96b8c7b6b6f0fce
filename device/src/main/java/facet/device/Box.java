package facet.device;

/**
 * What a copy of rows and slices moves, in bytes.
 *
 * @param width of a row
 * @param height rows in a slice
 */
public record Box(
        long width,
        long height,
        long depth,
        long destinationPitch,
        long destinationSlice,
        long sourcePitch,
        long sourceSlice) {}
