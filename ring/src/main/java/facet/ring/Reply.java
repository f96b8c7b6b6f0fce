package facet.ring;

/**
 * An answer, as a client sees it.
 *
 * @param result a CUresult
 * @param sequence of the command
 * @param payload six words; the command's table says which of them mean something
 */
public record Reply(int result, long sequence, long[] payload) {}
