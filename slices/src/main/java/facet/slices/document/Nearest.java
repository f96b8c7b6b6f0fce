package facet.slices.document;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody meant who misspelt it. */
public final class Nearest {
    private Nearest() {}

    /**
     * "; did you mean 'x'?" where a word is near, and in any case the rest.
     *
     * @param rest what else is to be said
     */
    public static String hint(String word, Collection<String> words, String rest) {
        return of(word, words)
                .map(near -> "; did you mean '" + near + "'? " + capital(rest))
                .orElse("; " + rest);
    }

    private static String capital(String rest) {
        return rest.substring(0, 1).toUpperCase(Locale.ROOT) + rest.substring(1);
    }

    private static Optional<String> of(String word, Collection<String> words) {
        String best = null;
        int least = Math.max(2, word.length() / 3) + 1;
        for (String each : words) {
            int distance = distance(word, each);
            if (distance < least) {
                least = distance;
                best = each;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Letters to put in, to take out or to replace. */
    private static int distance(String one, String two) {
        int[] row = new int[two.length() + 1];
        for (int j = 0; j <= two.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= two.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == two.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[two.length()];
    }
}
