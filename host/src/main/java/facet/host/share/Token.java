package facet.host.share;

import facet.os.RandomUnsafe;

/** A name that only those know who were told: whoever knows it may open what it stands for. */
public record Token(long high, long low) {
    static Token next() {
        return new Token(RandomUnsafe.next(), RandomUnsafe.next());
    }
}
