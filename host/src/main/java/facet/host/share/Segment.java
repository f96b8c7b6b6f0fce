package facet.host.share;

import facet.host.ledger.Ledger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A piece of device memory that several sessions of a slice may have open. It is there as long as
 * one of them has. One of them pays for it: who made it, and when that one lets go, who has had it
 * open for longest.
 */
public final class Segment {
    private final Shares shares;
    private final Token token;
    private final int device;
    private final long bytes;
    private final Storage storage;
    private final Holder maker;
    private final boolean allocation;

    /** How often each has it open. All with the monitor of the shares. */
    private final Map<Holder, Integer> holders = new LinkedHashMap<>();

    /** Null while it is on the account of the context that it is a part of. */
    private @Nullable Holder payer;

    private boolean over;

    /**
     * @param allocation whether it is a part of a context's memory, which pays for it
     */
    Segment(
            Shares shares,
            Token token,
            int device,
            long bytes,
            Storage storage,
            Holder maker,
            boolean allocation) {
        this.shares = shares;
        this.token = token;
        this.device = device;
        this.bytes = bytes;
        this.storage = storage;
        this.maker = maker;
        this.allocation = allocation;
        payer = allocation ? null : maker;
        holders.put(maker, 1);
    }

    public Token token() {
        return token;
    }

    /** Which of the slice's devices it is on. */
    public int device() {
        return device;
    }

    public long bytes() {
        return bytes;
    }

    public Storage storage() {
        return storage;
    }

    /** Whether it is an allocation of a context, and not memory for itself. */
    public boolean isAllocation() {
        return allocation;
    }

    /** Whether it was made by this one. */
    public boolean isOf(Holder holder) {
        return maker.equals(holder);
    }

    /** Opens it once more. False when it has gone meanwhile. */
    public boolean hold(Holder holder) {
        synchronized (shares) {
            if (over) {
                return false;
            }
            holders.merge(holder, 1, Integer::sum);
            return true;
        }
    }

    /**
     * Closes it when its maker is the only one who has it open, once.
     *
     * @return false when others have it, or its maker has it more than once
     */
    public boolean dropIfAlone(Holder holder) {
        synchronized (shares) {
            if (holders.size() != 1 || holders.getOrDefault(holder, 0) != 1) {
                return false;
            }
            over = true;
            holders.clear();
            shares.forget(this);
        }
        end();
        return true;
    }

    private void end() {
        storage.drop();
        Holder last = payer;
        if (last != null) {
            last.ledger(device).give(last.slot(), bytes);
        }
    }

    /** Closes it once; the last one who does gives its memory back, and waits for that. */
    public void drop(Holder holder) {
        synchronized (shares) {
            int left = holders.getOrDefault(holder, 0) - 1;
            if (left < 0) {
                return; // the context that it was a part of has ended
            }
            if (left > 0) {
                holders.put(holder, left);
                return;
            }
            holders.remove(holder);
            over = holders.isEmpty();
            if (!over) {
                if (holder.equals(payer)) {
                    pass(holder);
                }
                return;
            }
            shares.forget(this);
        }
        end();
    }

    /** The one that paid for it has let go. */
    private void pass(Holder from) {
        Holder next = holders.keySet().iterator().next();
        Ledger ledger = next.ledger(device);
        ledger.add(next.slot(), bytes);
        ledger.give(from.slot(), bytes);
        payer = next;
    }

    /**
     * The context that it is a part of is about to end, and pays for it no more.
     *
     * @return whether others have it open, so that its memory is to stay
     */
    public boolean orphan() {
        synchronized (shares) {
            holders.remove(maker);
            over = holders.isEmpty();
            if (over) {
                shares.forget(this);
                return false;
            }
            Holder next = holders.keySet().iterator().next();
            next.ledger(device).add(next.slot(), bytes);
            payer = next;
            return true;
        }
    }
}
