package facet.ring;

/** The other side of a ring wrote what no correct program writes. It ends the session. */
public final class MalformedRecord extends Exception {
    private static final long serialVersionUID = 1;

    MalformedRecord(String message) {
        super(message);
    }
}
