package facet.ptx.rewrite;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Position;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one body says by itself; {@link Scan} fills it. */
final class Facts {
    /** Something in the way, and where. */
    record Obstacle(Position position, String cause) {}

    final Function function;

    /** Bits of {@link Hidden}. */
    int own;

    /** Names of functions that are called by name. */
    final Set<String> callees = new LinkedHashSet<>();

    /** The same of functions that have no body in the module. */
    final Set<String> externs = new LinkedHashSet<>();

    /** Whether it calls through a pointer. */
    boolean indirect;

    /** The first in either form, and the first in the persistent form alone. */
    @Nullable Obstacle always;

    @Nullable Obstacle persistent;

    /** Barriers of all threads, and those with a number of threads. */
    final List<Instruction> whole = new ArrayList<>();

    final List<Instruction> counted = new ArrayList<>();

    Facts(Function function) {
        this.function = function;
    }

    void always(Position position, @Nullable String cause) {
        if (cause != null && always == null) {
            always = new Obstacle(position, cause);
        }
    }

    void persistent(Position position, @Nullable String cause) {
        if (cause != null && persistent == null) {
            persistent = new Obstacle(position, cause);
        }
    }
}
