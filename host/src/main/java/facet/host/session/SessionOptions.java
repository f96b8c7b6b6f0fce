package facet.host.session;

import facet.log.Who;

/**
 * What the daemon knows about a session before it begins.
 *
 * @param id of the daemon's life
 * @param program as the client calls itself; for people
 * @param pid as the kernel says
 * @param ledgerSlot its place in the slice's ledger
 * @param memory bytes of device memory of its slice
 */
public record SessionOptions(
        int id, String slice, String program, int pid, int ledgerSlot, long memory) {

    /** For log lines. */
    public Who who() {
        return Who.session(id, program, slice);
    }
}
