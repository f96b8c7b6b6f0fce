package facet.host.session;

import facet.device.Window;
import facet.host.share.Shares;
import facet.os.StitchedUnsafe;
import facet.os.SystemCallException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is mapped, as windows of a context. What lies side by side becomes one window: an access
 * that goes over a border is one like any other. Where the pieces do not lie side by side in this
 * process they are mapped once more, so that they do. By the session's thread.
 */
final class MappedViews {
    private final Shares shares;
    private final Consumer<String> log;
    private Map<List<StitchedUnsafe.Piece>, StitchedUnsafe> stitched = new HashMap<>();

    MappedViews(Shares shares, Consumer<String> log) {
        this.shares = shares;
        this.log = log;
    }

    /** Windows to what is chosen of the mappings. */
    List<Window> windows(Iterable<Mapping> mappings, Predicate<Mapping> chosen) {
        List<Window> windows = new ArrayList<>();
        List<Mapping> run = new ArrayList<>();
        for (Mapping each : mappings) {
            if (!run.isEmpty() && run.getLast().end() != each.address() || !chosen.test(each)) {
                finish(run, windows);
            }
            if (chosen.test(each)) {
                run.add(each);
            }
        }
        finish(run, windows);
        return windows;
    }

    private void finish(List<Mapping> run, List<Window> windows) {
        if (run.isEmpty()) {
            return;
        }
        List<StitchedUnsafe.Piece> pieces = pieces(run);
        Mapping first = run.getFirst();
        long bytes = run.stream().mapToLong(Mapping::bytes).sum();
        if (pieces.size() == 1) {
            MemorySegment all = first.segment().storage().memory(first.offset(), bytes);
            windows.add(new Window(first.address(), all));
        } else {
            StitchedUnsafe view = pieces.isEmpty() ? null : view(pieces);
            if (view != null) {
                windows.add(new Window(first.address(), view.segment()));
            } else {
                run.forEach(each -> windows.add(alone(each)));
            }
        }
        run.clear();
    }

    private static Window alone(Mapping mapping) {
        return new Window(
                mapping.address(),
                mapping.segment().storage().memory(mapping.offset(), mapping.bytes()));
    }

    /** Where the run is, with neighbours as one; none when some of it has no pages of its own. */
    private static List<StitchedUnsafe.Piece> pieces(List<Mapping> run) {
        List<StitchedUnsafe.Piece> pieces = new ArrayList<>();
        for (Mapping each : run) {
            StitchedUnsafe.Piece piece =
                    each.segment().storage().piece(each.offset(), each.bytes()).orElse(null);
            if (piece == null) {
                return List.of();
            }
            StitchedUnsafe.Piece last = pieces.isEmpty() ? null : pieces.getLast();
            if (last != null
                    && last.descriptor() == piece.descriptor()
                    && Math.addExact(last.offset(), last.bytes()) == piece.offset()) {
                pieces.set(
                        pieces.size() - 1,
                        new StitchedUnsafe.Piece(
                                last.descriptor(),
                                last.offset(),
                                Math.addExact(last.bytes(), piece.bytes())));
            } else {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    private @Nullable StitchedUnsafe view(List<StitchedUnsafe.Piece> pieces) {
        StitchedUnsafe known = stitched.get(pieces);
        if (known != null) {
            return known;
        }
        if (!shares.takePieces(pieces.size())) {
            log.accept(
                    "too much is mapped in pieces: accesses that go over the border of two of them"
                            + " fault; map fewer, larger ones side by side");
            return null;
        }
        try {
            StitchedUnsafe made = StitchedUnsafe.of(pieces);
            stitched.put(pieces, made);
            return made;
        } catch (SystemCallException e) {
            shares.givePieces(pieces.size());
            log.accept("memory cannot be mapped side by side: " + e.getMessage());
            return null;
        }
    }

    boolean isEmpty() {
        return stitched.isEmpty();
    }

    /**
     * All views so far are out of date.
     *
     * @return closes them, when nothing uses them any more; any thread
     */
    Runnable retire() {
        Map<List<StitchedUnsafe.Piece>, StitchedUnsafe> old = stitched;
        stitched = new HashMap<>();
        return () ->
                old.forEach((pieces, view) -> {
                    view.close();
                    shares.givePieces(pieces.size());
                });
    }
}
