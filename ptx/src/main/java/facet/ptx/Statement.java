package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may stand in a function body, in the order of the text. */
public sealed interface Statement
        permits Instruction,
                Statement.Label,
                Statement.Registers,
                Statement.Local,
                Statement.Scope,
                Statement.Location,
                Statement.Pragma,
                Statement.Prototype,
                Statement.Targets {

    record Label(Position position, String name) implements Statement {}

    /**
     * {@code .reg .b32 %r<6>, %x;}
     *
     * @param lanes 1, or 2 or 4 for {@code .v2} and {@code .v4}
     */
    record Registers(Position position, Type type, int lanes, List<Name> names)
            implements Statement {
        /** A name, or with {@code count} above zero the names {@code prefix0 … prefix(count-1)}. */
        public record Name(String text, int count) {}
    }

    /** A variable of the body: {@code .local}, {@code .shared}, or {@code .param} of a call. */
    record Local(Variable variable) implements Statement {}

    /** {@code { … }}. */
    record Scope(List<Statement> statements) implements Statement {}

    /**
     * {@code .loc file line column}, with {@code function_name label, inlined_at file line column}.
     */
    record Location(int file, int line, int column, @Nullable String inlined)
            implements Statement {}

    record Pragma(List<String> texts) implements Statement {}

    /** {@code name: .callprototype (.param .b32 _) _ (.param .b32 _);} */
    record Prototype(
            Position position,
            String name,
            List<Variable> results,
            List<Variable> parameters,
            boolean noReturn)
            implements Statement {}

    /** {@code name: .branchtargets a, b;} or {@code .calltargets f, g;} */
    record Targets(Position position, String name, boolean branches, List<String> names)
            implements Statement {}
}
