package facet.node.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Joins texts. */
public final class Linker {
    private final List<Unit> units = new ArrayList<>();

    /** For each shared name the definition that stays. */
    private final Map<String, Owner> owners = new HashMap<>();

    /** A definition and where it is. */
    private record Owner(Unit unit, Declared declared) {}

    private Linker() {}

    /** One text that has all that the given ones have. */
    public static String link(List<String> texts) throws LinkException {
        Linker linker = new Linker();
        for (String each : texts) {
            linker.units.add(new Unit(linker.units.size(), each));
        }
        linker.choose();
        linker.rename();
        return linker.print();
    }

    /** Decides which of several definitions of a name stays. */
    private void choose() throws LinkException {
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                if (!each.isShared()) {
                    continue;
                }
                Owner known = owners.get(each.name());
                if (known == null || isStronger(each, unit, known)) {
                    owners.put(each.name(), new Owner(unit, each));
                } else if (each.linkage() == Declared.Linkage.VISIBLE
                        && known.declared.linkage() == Declared.Linkage.VISIBLE) {
                    throw new LinkException(
                            each.name()
                                    + " is defined by input "
                                    + (known.unit.number() + 1)
                                    + " and by input "
                                    + (unit.number() + 1));
                }
            }
        }
    }

    /** A visible one replaces weak and common ones, a longer common one a shorter. */
    private static boolean isStronger(Declared each, Unit unit, Owner known) {
        Declared.Linkage old = known.declared.linkage();
        if (old == Declared.Linkage.VISIBLE) {
            return false;
        }
        if (each.linkage() == Declared.Linkage.VISIBLE) {
            return true;
        }
        return old == Declared.Linkage.COMMON
                && each.linkage() == Declared.Linkage.COMMON
                && unit.length(each) > known.unit.length(known.declared);
    }

    /** Names that a text has for itself must not be another's. */
    private void rename() {
        Set<String> used = new HashSet<>(owners.keySet());
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                if (each.isReference() && !isStaticPrototype(unit, each)) {
                    used.add(each.name());
                }
            }
        }
        for (Unit unit : units) {
            Set<String> own = new HashSet<>();
            for (Declared each : unit.declared()) {
                if (each.isDefinition() && !each.isShared()) {
                    own.add(each.name());
                }
            }
            for (String each : own) {
                if (!used.add(each)) {
                    unit.rename(each, used);
                }
            }
        }
    }

    /** The declaration of a function that the same text defines for itself. */
    private static boolean isStaticPrototype(Unit unit, Declared each) {
        return each.what() == Declared.What.PROTOTYPE
                && unit.declared().stream()
                        .anyMatch(other ->
                                other.isDefinition()
                                        && !other.isShared()
                                        && other.name().equals(each.name()));
    }

    private String print() throws LinkException {
        StringBuilder text = new StringBuilder(Headers.merge(units));
        Set<String> declared = new HashSet<>();
        // What functions look like first, then variables, which may hold their addresses, then
        // functions: nothing is used before it was declared.
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                boolean wanted =
                        each.what() == Declared.What.PROTOTYPE
                                && (isStaticPrototype(unit, each) || declared.add(each.name()));
                if (wanted) {
                    unit.print(each, text);
                }
            }
        }
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                if (each.what() == Declared.What.VARIABLE && stays(unit, each, declared)) {
                    unit.print(each, text);
                }
            }
        }
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                boolean wanted =
                        each.what() == Declared.What.OTHER
                                || each.what() == Declared.What.FUNCTION
                                        && stays(unit, each, declared);
                if (wanted) {
                    unit.print(each, text);
                }
            }
        }
        return text.toString();
    }

    private boolean stays(Unit unit, Declared each, Set<String> declared) {
        if (each.isReference()) {
            return !owners.containsKey(each.name()) && declared.add(each.name());
        }
        if (!each.isShared()) {
            return true;
        }
        Owner owner = owners.get(each.name());
        return owner != null && owner.unit == unit && owner.declared.equals(each);
    }
}
