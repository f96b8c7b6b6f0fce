package facet.jit.math;

enum Rounding {
    RN,
    /** To nearest, ties away from zero. */
    RNA,
    RZ,
    RM,
    RP;

    /**
     * Whether to take the larger magnitude.
     *
     * @param half comparison of the discarded part with one half of the last place
     */
    boolean away(boolean negative, boolean odd, boolean inexact, int half) {
        return switch (this) {
            case RN -> half > 0 || (half == 0 && odd);
            case RNA -> half >= 0;
            case RZ -> false;
            case RM -> inexact && negative;
            case RP -> inexact && !negative;
        };
    }
}
