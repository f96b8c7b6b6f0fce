package facet.abi.worker;

/** A packet that no worker, or no daemon, of this build sends. */
public final class MalformedMessage extends Exception {
    private static final long serialVersionUID = 1;

    public MalformedMessage(String message) {
        super(message);
    }

    static MalformedMessage unknown(int number) {
        return new MalformedMessage("it does not hear messages with the number " + number);
    }
}
