package facet.cli.doctor;

/**
 * Something that was looked at.
 *
 * @param about one of few words, by which lines are put together
 * @param text what was found
 * @param advice what to do, or empty
 */
public record Finding(String about, Grade grade, String text, String advice) {
    /** How bad it is. */
    public enum Grade {
        GOOD("ok"),
        /** It works, but not for everything. */
        NOTE("note"),
        /** Something that users expect does not work. */
        PROBLEM("problem");

        private final String word;

        Grade(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static Finding good(String about, String text) {
        return new Finding(about, Grade.GOOD, text, "");
    }

    static Finding note(String about, String text, String advice) {
        return new Finding(about, Grade.NOTE, text, advice);
    }

    static Finding problem(String about, String text, String advice) {
        return new Finding(about, Grade.PROBLEM, text, advice);
    }
}
