package facet.host.share;

import facet.host.ledger.Ledger;

/** A session that has segments open. */
public interface Holder {
    /** Of one of the slice's devices. */
    Ledger ledger(int device);

    /** Its place there. */
    int slot();
}
