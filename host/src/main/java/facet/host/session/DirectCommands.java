package facet.host.session;

import facet.abi.Constants;
import facet.abi.DirectClaim;
import facet.abi.DirectHandler;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.abi.RewriteImage;
import facet.abi.RewriteRoom;
import facet.abi.Unruled;
import facet.abi.Whole;
import facet.host.ledger.Ledger;
import facet.host.ledger.UnsupportedCounts;
import facet.host.ledger.UnsupportedCounts.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What programs say whose work the vendor's driver does in their own process. They have no contexts
 * here: of their memory there is the ledger alone, in which they count it themselves.
 */
final class DirectCommands implements DirectHandler {
    private final Session session;

    /** Claims that wait: each has a thread, and a client may send what it likes. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final Rewriting rewriting;

    DirectCommands(Session session) {
        this.session = session;
        rewriting = session.rewriting();
    }

    /**
     * Decided at once where there is room, and else when others had the time to take back what they
     * claimed in vain.
     */
    @Override
    public void directClaim(Envelope envelope, DirectClaim command) {
        if (!session.hasDevice(command.device())) {
            throw new ProtocolViolation("its slice has no device " + command.device());
        }
        Ledger ledger = session.ledger(command.device());
        int slot = session.options().ledgerSlot();
        Runnable granted = () -> session.reply(envelope, Result.SUCCESS);
        if (command.bytes() > 0 && ledger.claimNow(slot, command.bytes())) {
            ledger.whenRoomy(granted);
            return;
        }
        if (waiting.incrementAndGet() > Constants.REPLY_SLOTS) {
            throw new ProtocolViolation("more claims at once than it has threads that wait");
        }
        Thread.ofVirtual()
                .name("facet-claim")
                .start(() -> {
                    boolean given = ledger.claim(slot, command.bytes());
                    waiting.decrementAndGet();
                    if (given) {
                        ledger.whenRoomy(granted);
                    } else {
                        session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
                    }
                });
    }

    @Override
    public void unruled(Envelope envelope, Unruled command) {
        session.passed(Kind.UNRULED, kept(command.name()), command.count());
    }

    @Override
    public void whole(Envelope envelope, Whole command) {
        session.passed(Kind.WHOLE, kept(command.name()), command.count());
    }

    private static String kept(byte[] name) {
        byte[] kept = Arrays.copyOf(name, Math.min(name.length, UnsupportedCounts.LONGEST_NAME));
        return new String(kept, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void rewriteRoom(Envelope envelope, RewriteRoom command) {
        rewriting.room(envelope, command);
    }

    @Override
    public void rewriteImage(Envelope envelope, RewriteImage command) {
        rewriting.image(envelope, command);
    }
}
