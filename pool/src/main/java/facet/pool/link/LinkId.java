package facet.pool.link;

import java.security.SecureRandom;

/** 128 bits that nobody guesses. */
record LinkId(long high, long low) {
    private static final SecureRandom RANDOM = new SecureRandom();

    static LinkId random() {
        return new LinkId(RANDOM.nextLong(), RANDOM.nextLong());
    }
}
