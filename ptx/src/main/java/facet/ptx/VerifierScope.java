package facet.ptx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of a scope, of those around it and of the module. Labels may stand behind the use. */
final class VerifierScope {
    private final @Nullable VerifierScope outer;
    private final Map<String, Object> names = new HashMap<>();

    /** Whether it holds the parameters of a kernel. */
    private boolean kernel;

    private VerifierScope(@Nullable VerifierScope outer) {
        this.outer = outer;
    }

    /** Of a module: functions, with a body where there is one, and variables. */
    static VerifierScope of(Module module) {
        VerifierScope scope = new VerifierScope(null);
        for (Declaration each : module.declarations()) {
            switch (each) {
                case Function function -> scope.function(function);
                case Declaration.Global global -> scope.global(global.variable());
                case Declaration.Alias _,
                        Declaration.File _,
                        Declaration.Section _,
                        Declaration.Pragma _ -> {}
            }
        }
        // The last: a function may be defined behind its other name.
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Alias alias) {
                scope.alias(alias);
            }
        }
        return scope;
    }

    /**
     * A call of the name is one of the target, so that one must be there: it says what is passed.
     */
    private void alias(Declaration.Alias alias) {
        Function target = function(alias.target());
        boolean itself = target != null && target.name().equals(alias.target());
        if (target == null || !itself || target.body() == null || target.kernel()) {
            throw new PtxException(
                    PtxException.Kind.INVALID,
                    alias.position(),
                    alias.name()
                            + " is an alias of "
                            + alias.target()
                            + ", which is no function that this module defines");
        }
        Object known = names.put(alias.name(), target);
        if (known != null && !(known instanceof Function declared && declared.body() == null)) {
            throw twice(alias.position(), alias.name());
        }
    }

    private void function(Function function) {
        Object known = names.get(function.name());
        if (known instanceof Function first) {
            if (first.body() != null && function.body() != null) {
                throw twice(function.position(), function.name());
            }
            if (first.kernel() != function.kernel()
                    || first.parameters().size() != function.parameters().size()
                    || first.results().size() != function.results().size()) {
                throw new PtxException(
                        PtxException.Kind.INVALID,
                        function.position(),
                        function.name() + " is declared with other parameters or results before");
            }
            if (first.body() != null) {
                return;
            }
        } else if (known != null) {
            throw twice(function.position(), function.name());
        }
        names.put(function.name(), function);
    }

    private void global(Variable variable) {
        Object known = names.get(variable.name());
        if (known instanceof Variable first) {
            boolean both =
                    first.linkage() != Linkage.EXTERN && variable.linkage() != Linkage.EXTERN;
            if (both && first.linkage() != Linkage.COMMON && variable.linkage() != Linkage.COMMON) {
                throw twice(variable.position(), variable.name());
            }
            if (variable.linkage() == Linkage.EXTERN) {
                return;
            }
        } else if (known != null) {
            throw twice(variable.position(), variable.name());
        }
        names.put(variable.name(), variable);
    }

    VerifierScope inside(List<Statement> statements) {
        VerifierScope scope = new VerifierScope(this);
        for (Statement each : statements) {
            switch (each) {
                case Statement.Label label -> scope.add(label.position(), label.name(), label);
                case Statement.Local local -> scope.add(local.variable());
                case Statement.Prototype prototype ->
                        scope.add(prototype.position(), prototype.name(), prototype);
                case Statement.Targets list -> scope.add(list.position(), list.name(), list);
                case Instruction _,
                        Statement.Registers _,
                        Statement.Scope _,
                        Statement.Location _,
                        Statement.Pragma _ -> {}
            }
        }
        return scope;
    }

    /** With the parameters and results of a function. */
    VerifierScope inside(Function function) {
        VerifierScope scope = new VerifierScope(this);
        function.results().forEach(scope::add);
        function.parameters().forEach(scope::add);
        scope.kernel = function.kernel();
        return scope;
    }

    /** Whether the name is that of a parameter of the kernel, which is read only. */
    boolean isKernelParameter(String name) {
        for (VerifierScope scope = this; scope != null; scope = scope.outer) {
            if (scope.names.containsKey(name)) {
                return scope.kernel;
            }
        }
        return false;
    }

    private void add(Variable variable) {
        add(variable.position(), variable.name(), variable);
    }

    private void add(Position position, String name, Object what) {
        if (names.putIfAbsent(name, what) != null) {
            throw twice(position, name);
        }
    }

    private static PtxException twice(Position position, String name) {
        return new PtxException(
                PtxException.Kind.INVALID,
                position,
                name + " is defined twice in this scope; rename one of the two");
    }

    private @Nullable Object find(String name) {
        for (VerifierScope scope = this; scope != null; scope = scope.outer) {
            Object found = scope.names.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Nullable Variable variable(String name) {
        return find(name) instanceof Variable found ? found : null;
    }

    @Nullable Function function(String name) {
        return find(name) instanceof Function found ? found : null;
    }

    Statement.@Nullable Prototype prototype(String name) {
        return find(name) instanceof Statement.Prototype found ? found : null;
    }

    Statement.@Nullable Targets targets(String name) {
        return find(name) instanceof Statement.Targets found ? found : null;
    }

    boolean isLabel(String name) {
        return find(name) instanceof Statement.Label;
    }
}
