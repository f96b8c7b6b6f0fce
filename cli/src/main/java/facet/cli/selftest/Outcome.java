package facet.cli.selftest;

/**
 * How it is with a promise on this machine.
 *
 * @param about which promise, in a word
 * @param text what was tried
 * @param measured what came out, with its unit
 * @param wanted what was promised; empty where nothing was
 */
public record Outcome(String about, String text, String measured, String wanted, Verdict verdict) {
    /** What to think of a measured value. */
    public enum Verdict {
        HELD,
        MISSED,
        /** A figure that nothing was promised about. */
        TOLD,
        /** It says why under 'measured'. */
        NOT_TRIED;

        public String word() {
            return switch (this) {
                case HELD -> "held";
                case MISSED -> "MISSED";
                case TOLD -> "";
                case NOT_TRIED -> "not tried";
            };
        }
    }

    static Outcome of(String about, String text, String measured, String wanted, boolean held) {
        return new Outcome(about, text, measured, wanted, held ? Verdict.HELD : Verdict.MISSED);
    }

    static Outcome told(String about, String text, String measured) {
        return new Outcome(about, text, measured, "", Verdict.TOLD);
    }

    static Outcome notTried(String about, String text, String reason) {
        return new Outcome(about, text, reason, "", Verdict.NOT_TRIED);
    }
}
