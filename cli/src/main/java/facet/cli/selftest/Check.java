package facet.cli.selftest;

import java.io.IOException;
import java.util.List;

/** One promise, tried. */
public interface Check {
    /** In a word: what {@code --only} names. */
    String about();

    /** What it does, for who waits for it. */
    String text();

    /**
     * @throws IOException when a program of it ended before it was told to
     */
    List<Outcome> run(Ground ground) throws IOException, InterruptedException;
}
