package facet.os;

/**
 * What was received.
 *
 * @param descriptors now ours, to be closed; closed on exec
 */
public record Message(byte[] bytes, int[] descriptors) {
    /** For messages that should have brought none. */
    public void closeDescriptors() {
        for (int each : descriptors) {
            Descriptors.close(each);
        }
    }
}
