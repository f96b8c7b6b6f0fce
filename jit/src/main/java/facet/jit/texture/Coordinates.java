package facet.jit.texture;

import facet.jit.texture.Sampling.Edge;

/** From coordinates to elements (CUDA programming guide, Texture Fetching). */
final class Coordinates {
    /** So that a neighbour can be counted without wrapping. */
    private static final int FAR = 1 << 30;

    /** Weights have 8 bits behind the point: 256 is 1. */
    static final int ONE = 256;

    private Coordinates() {}

    /** In elements, not yet kept inside: those beyond the edge are found by {@link #index}. */
    static float scaled(float coordinate, int count, Edge edge, boolean normalized) {
        if (!normalized) {
            return coordinate;
        }
        return switch (edge) {
            case CLAMP, BORDER -> coordinate * count;
            case WRAP -> (coordinate - floor(coordinate)) * count;
            case MIRROR -> {
                float whole = floor(coordinate);
                float part = coordinate - whole;
                boolean odd = whole - 2 * floor(whole / 2) != 0;
                yield (odd ? 1 - part : part) * count;
            }
        };
    }

    static float floor(float value) {
        return (float) Math.floor(value);
    }

    /** The element at a place, however far out; what is no number is 0. */
    static int whole(float floored) {
        return Math.clamp((int) floored, -FAR, FAR);
    }

    /** How far a place is from the element before it, in 256 parts. */
    static int weight(float place, float floored) {
        return (int) ((place - floored) * ONE + 0.5f);
    }

    /** Where an element lies that may be outside; -1 where there is only the border. */
    static int index(int element, int count, Edge edge) {
        if (element >= 0 && element < count) {
            return element;
        }
        return switch (edge) {
            case CLAMP -> element < 0 ? 0 : count - 1;
            case BORDER -> -1;
            case WRAP -> Math.floorMod(element, count);
            case MIRROR -> {
                long twice = Math.floorMod((long) element, 2L * count);
                yield (int) (twice < count ? twice : 2L * count - 1 - twice);
            }
        };
    }

    /** An element and an offset, neither of which is to be trusted. */
    static int sum(int element, int offset) {
        return Math.clamp((long) element + offset, -FAR, FAR);
    }

    /** The number of a layer, as PTX keeps it inside. */
    static int layer(int layer, int count) {
        return Integer.compareUnsigned(layer, count) < 0 ? layer : layer < 0 ? 0 : count - 1;
    }
}
