package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Position;
import facet.ptx.PtxException;
import facet.ptx.Statement;
import facet.ptx.Variable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names that scopes declare, and the unique one that each stands for. */
final class Scopes {
    private final Deque<Map<String, String>> open = new ArrayDeque<>();

    /** Taken from outside, or given to a declaration. */
    private final Set<String> taken;

    private final Map<String, Integer> repeats = new HashMap<>();
    private final Set<String> labels = new HashSet<>();

    private Scopes(Set<String> taken) {
        this.taken = taken;
    }

    static Scopes of(Function function, List<Statement> body) {
        Set<String> free = new HashSet<>();
        for (Variable each : function.results()) {
            free.add(each.name());
        }
        for (Variable each : function.parameters()) {
            free.add(each.name());
        }
        new Scopes(new HashSet<>()).collectFree(body, free);
        return new Scopes(free);
    }

    private void collectFree(List<Statement> statements, Set<String> free) {
        enter(statements);
        for (Statement each : statements) {
            switch (each) {
                case Instruction instruction ->
                        Rename.operands(
                                instruction.operands(),
                                name -> {
                                    if (!isDeclared(name)) {
                                        free.add(name);
                                    }
                                    return name;
                                });
                case Statement.Scope scope -> collectFree(scope.statements(), free);
                case Statement.Label _,
                        Statement.Registers _,
                        Statement.Local _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Prototype _,
                        Statement.Targets _ -> {}
            }
        }
        leave();
    }

    /** Opens a scope and names all that its statements declare. */
    void enter(List<Statement> statements) {
        open.push(new HashMap<>());
        for (Statement each : statements) {
            switch (each) {
                case Statement.Label label -> {
                    declare(label.name(), label.position());
                    labels.add(resolve(label.name()));
                }
                case Statement.Local local ->
                        declare(local.variable().name(), local.variable().position());
                case Statement.Prototype prototype ->
                        declare(prototype.name(), prototype.position());
                case Statement.Targets targets -> declare(targets.name(), targets.position());
                case Instruction _,
                        Statement.Registers _,
                        Statement.Scope _,
                        Statement.Location _,
                        Statement.Pragma _ -> {}
            }
        }
    }

    void leave() {
        open.pop();
    }

    private void declare(String name, Position position) {
        String unique = name;
        while (!taken.add(unique)) {
            unique = name + "$" + repeats.merge(name, 2, (old, _) -> old + 1);
        }
        if (open.getFirst().put(name, unique) != null) {
            throw new PtxException(
                    PtxException.Kind.INVALID,
                    position,
                    "'" + name + "' is declared twice in the same scope");
        }
    }

    private boolean isDeclared(String name) {
        for (Map<String, String> scope : open) {
            if (scope.containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    /** The unique name of what this one means here; itself when it comes from outside. */
    String resolve(String name) {
        for (Map<String, String> scope : open) {
            String unique = scope.get(name);
            if (unique != null) {
                return unique;
            }
        }
        return name;
    }

    /** Whether the unique name is that of a label seen so far. */
    boolean isLabel(String unique) {
        return labels.contains(unique);
    }
}
