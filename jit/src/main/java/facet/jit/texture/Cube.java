package facet.jit.texture;

/** Faces of a cube (CUDA programming guide, Cubemap Textures). */
final class Cube {
    static final int FACES = 6;

    private Cube() {}

    /** Which face a direction meets: +x, -x, +y, -y, +z, -z. */
    static int face(float x, float y, float z) {
        float ax = Math.abs(x);
        float ay = Math.abs(y);
        float az = Math.abs(z);
        if (az >= ax && az >= ay) {
            return z < 0 ? 5 : 4;
        }
        return ay >= ax ? y < 0 ? 3 : 2 : x < 0 ? 1 : 0;
    }

    /** From 0 to 1 on the face. */
    static float s(int face, float x, float y, float z) {
        return switch (face) {
            case 0 -> across(-z, x);
            case 1 -> across(z, -x);
            case 2 -> across(x, y);
            case 3 -> across(x, -y);
            case 4 -> across(x, z);
            default -> across(-x, -z);
        };
    }

    static float t(int face, float x, float y, float z) {
        return switch (face) {
            case 0 -> across(-y, x);
            case 1 -> across(-y, -x);
            case 2 -> across(z, y);
            case 3 -> across(-z, -y);
            case 4 -> across(-y, z);
            default -> across(-y, -z);
        };
    }

    private static float across(float side, float towards) {
        return (side / towards + 1) / 2;
    }

    /** The direction of a place on a face, which may lie beyond its edges; from -1 to 1 inside. */
    static float x(int face, float s, float t) {
        return switch (face) {
            case 0 -> 1;
            case 1 -> -1;
            case 2, 3, 4 -> s;
            default -> -s;
        };
    }

    static float y(int face, float s, float t) {
        return switch (face) {
            case 2 -> 1;
            case 3 -> -1;
            default -> -t;
        };
    }

    static float z(int face, float s, float t) {
        return switch (face) {
            case 0 -> -s;
            case 1 -> s;
            case 2 -> t;
            case 3 -> -t;
            case 4 -> 1;
            default -> -1;
        };
    }
}
