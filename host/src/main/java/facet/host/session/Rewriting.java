package facet.host.session;

import facet.abi.Envelope;
import facet.abi.Result;
import facet.abi.RewriteImage;
import facet.abi.RewriteRoom;
import facet.host.image.ImageException;
import facet.host.image.ModuleImage;
import facet.host.ledger.Allowance;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts;
import facet.os.SharedMemoryUnsafe;
import facet.os.SystemCallException;
import facet.ptx.Link;
import facet.ptx.PtxException;
import facet.ptx.Work;
import facet.ptx.rewrite.Doubled;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes code whose launches can come in ranges, for a program that has the vendor's driver in it.
 * One image at a time, in a room that the program maps too; the room goes with its answer. What
 * cannot be done, or would take more than the slice may have, is not: then the code runs whole.
 *
 * <pre>
 * answer   text, ended by a zero:
 *            how many kernels are there twice
 *            a line for each: its name, the other's name, its parameters, the offset of the hidden one
 *            the PTX
 * </pre>
 */
final class Rewriting {
    static final long MOST_ROOM = 128L << 20;
    static final int MOST_CHARACTERS = 8 << 20;

    /** Heap that a character of text takes while it is looked at. */
    private static final long HEAP_FOR_CHARACTER = 30;

    /** Between two questions lies less than a millisecond, or the thread did not run. */
    private static final long LONGEST_PIECE = 5_000_000;

    private final Session session;
    private final Allowance allowance;
    private @Nullable SharedMemoryUnsafe room;
    private boolean busy;
    private boolean closed;

    Rewriting(Session session) {
        this.session = session;
        allowance = session.tally().rewriting();
    }

    /** The slice has no time left for it, or the session ends. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void room(Envelope envelope, RewriteRoom command) {
        if (command.bytes() <= 0 || command.bytes() > MOST_ROOM) {
            session.reply(envelope, Result.ERROR_INVALID_VALUE);
            return;
        }
        SharedMemoryUnsafe made;
        synchronized (this) {
            if (busy || closed) {
                throw new ProtocolViolation("it has an image rewritten, and wants room for more");
            }
            drop();
            made = make(command.bytes());
            room = made;
        }
        if (made == null) {
            session.reply(envelope, Result.ERROR_OUT_OF_MEMORY);
            return;
        }
        session.channel().sendMemory(0, made.descriptor(), true);
        session.reply(envelope, Result.SUCCESS);
    }

    /** Null when the slice has no descriptor left, or the system no memory. */
    private @Nullable SharedMemoryUnsafe make(long bytes) {
        if (!session.tally().takeDescriptors(1)) {
            return null;
        }
        try {
            return SharedMemoryUnsafe.create("facet-code", bytes);
        } catch (SystemCallException e) {
            session.tally().giveDescriptors(1);
            session.log("no room for code: " + e.getMessage());
            return null;
        }
    }

    void image(Envelope envelope, RewriteImage command) {
        SharedMemoryUnsafe here;
        synchronized (this) {
            here = room;
            if (here == null || busy || closed) {
                throw new ProtocolViolation("an image to be rewritten, without room for it");
            }
            if (command.bytes() <= 0 || command.bytes() > here.bytes()) {
                throw new ProtocolViolation("an image that is larger than its room");
            }
            busy = true;
        }
        Thread.ofPlatform()
                .daemon()
                .name("facet-session-" + session.options().id() + "-rewriting")
                .start(() -> {
                    long bytes = 0;
                    try {
                        bytes = rewrite(here, command);
                    } finally {
                        synchronized (this) {
                            busy = false;
                            drop();
                        }
                        session.reply(envelope, Result.SUCCESS, bytes);
                    }
                });
    }

    /** Bytes of the answer; 0: the code is to be loaded as it is. */
    private long rewrite(SharedMemoryUnsafe here, RewriteImage command) {
        Tally tally = session.tally();
        if (!allowance.isLeft(System.nanoTime())) {
            return whole("had too much rewritten of late");
        }
        if (!tally.beginImage(command.bytes())) {
            return whole("has more code than the daemon has room for");
        }
        try {
            byte[] image =
                    here.segment().asSlice(0, command.bytes()).toArray(ValueLayout.JAVA_BYTE);
            return rewrite(here, ModuleImage.texts(image, command.capability()));
        } catch (ImageException e) {
            return whole("no PTX in an image");
        } catch (PtxException e) {
            session.debug("code stays as it is: " + e.getMessage());
            return whole("text that is not understood");
        } catch (Ended e) {
            return whole("rewriting took too long");
        } catch (OutOfMemoryError e) {
            return whole("too large");
        } catch (StackOverflowError e) {
            return whole("nested too deeply");
        } catch (RuntimeException e) {
            session.defect("rewriting", e);
            return whole("Facet failed on it");
        } finally {
            tally.endImage(command.bytes());
        }
    }

    private long whole(String why) {
        session.passed(UnsupportedCounts.Kind.WHOLE, "(code) " + why, 1);
        return 0;
    }

    private long rewrite(SharedMemoryUnsafe here, List<String> texts) {
        long characters = texts.stream().mapToLong(String::length).sum();
        long heap = HEAP_FOR_CHARACTER * characters;
        if (characters > MOST_CHARACTERS || !session.tally().beginImage(heap)) {
            return whole("too large");
        }
        try {
            Doubled doubled =
                    Work.of(new Watch())
                            .within(() ->
                                    Doubled.of(
                                            texts.size() == 1
                                                    ? texts.getFirst()
                                                    : Link.link(texts)));
            doubled.refusals()
                    .forEach(each ->
                            session.passed(
                                    UnsupportedCounts.Kind.WHOLE,
                                    each.kernel() + ": " + each.cause(),
                                    1));
            return doubled.twins().isEmpty() ? 0 : answer(here, doubled);
        } finally {
            session.tally().endImage(heap);
        }
    }

    private long answer(SharedMemoryUnsafe here, Doubled doubled) {
        StringBuilder text = new StringBuilder();
        text.append(doubled.twins().size()).append('\n');
        for (Doubled.Twin each : doubled.twins()) {
            text.append(each.kernel()).append(' ').append(each.name()).append(' ');
            text.append(each.parameters()).append(' ').append(each.offset()).append('\n');
        }
        byte[] bytes =
                text.append(doubled.text())
                        .append('\0')
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        if (bytes.length > here.bytes()) {
            return whole("too large");
        }
        synchronized (this) {
            if (closed) {
                return 0;
            }
            MemorySegment.copy(bytes, 0, here.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
        }
        return bytes.length;
    }

    /** Counts the time, and ends what takes too much of it. */
    private final class Watch implements Runnable {
        private long last = System.nanoTime();

        @Override
        public void run() {
            long now = System.nanoTime();
            allowance.spend(Math.min(now - last, LONGEST_PIECE), now);
            last = now;
            if (!allowance.isLeft(now) || session.channel().isEnding()) {
                throw new Ended();
            }
        }
    }

    private synchronized void drop() {
        if (room != null) {
            room.close();
            room = null;
            session.tally().giveDescriptors(1);
        }
    }

    /** The session ends. A room that is in use goes with its answer. */
    synchronized void close() {
        closed = true;
        if (!busy) {
            drop();
        }
    }
}
