package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks that every name an instruction mentions is declared somewhere: in its function, labels
 * behind the use included, or in the module. What may be branched to or called is not checked here.
 */
final class Symbols {
    private static final int MODULE = -1;

    private record Use(int name, Position position) {}

    private final Names names;
    private int[] declaredIn = new int[2048];
    private int[] usedIn = new int[2048];

    /** Odd outside functions, even inside. */
    private int function = 1;

    private final List<Use> open = new ArrayList<>();
    private int firstOfFunction;

    Symbols(Names names) {
        this.names = names;
    }

    void declareInModule(String name) {
        int id = names.intern(name);
        reserve(id);
        declaredIn[id] = MODULE;
    }

    void beginFunction() {
        function++;
        firstOfFunction = open.size();
    }

    void declare(String name) {
        int id = names.intern(name);
        reserve(id);
        if (declaredIn[id] != MODULE) {
            declaredIn[id] = function;
        }
    }

    boolean isDeclared(int name) {
        reserve(name);
        return declaredIn[name] == MODULE || declaredIn[name] == function;
    }

    void use(int name, Position position) {
        if (!isDeclared(name) && usedIn[name] != function) {
            usedIn[name] = function;
            open.add(new Use(name, position));
        }
    }

    void endFunction() {
        int kept = firstOfFunction;
        for (int i = firstOfFunction; i < open.size(); i++) {
            if (!isDeclared(open.get(i).name())) {
                open.set(kept++, open.get(i));
            }
        }
        open.subList(kept, open.size()).clear();
        function++;
    }

    void endModule() {
        for (Use use : open) {
            if (declaredIn[use.name()] != MODULE) {
                throw undeclared(use.name(), use.position());
            }
        }
    }

    PtxException undeclared(int name, Position position) {
        String what = names.text(name).startsWith("%") ? "register '" : "'";
        return new PtxException(
                Kind.INVALID, position, what + names.text(name) + "' is not declared");
    }

    private void reserve(int id) {
        if (id >= declaredIn.length) {
            int length = Math.max(names.size(), declaredIn.length * 2);
            declaredIn = Arrays.copyOf(declaredIn, length);
            usedIn = Arrays.copyOf(usedIn, length);
        }
    }
}
