package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Several PTX texts as one (PTX ISA 11.6): what one of them declares {@code .extern} another
 * defines. Names without a linking directive belong to their text; where two texts have the same
 * one, the later gets another name.
 *
 * <p>What no text defines stays {@code .extern}: it may be known to the device.
 */
public final class Link {
    private final Map<String, Declaration> chosen = new HashMap<>();
    private final List<Declaration> result = new ArrayList<>();
    private final Set<String> declared = new HashSet<>();

    private Link() {}

    /**
     * @throws PtxException when a text is wrong, or two of them define the same name
     */
    public static String link(List<String> texts) {
        List<Module> modules = PrivateNames.apart(texts);
        Link link = new Link();
        modules.forEach(module -> module.declarations().forEach(link::choose));
        modules.forEach(module -> module.declarations().forEach(link::take));
        Module newest =
                modules.stream().max(Comparator.comparingInt(Link::architecture)).orElseThrow();
        int version = modules.stream().mapToInt(Module::version).max().orElseThrow();
        return Printer.print(
                new Module(version, newest.targets(), newest.addressSize(), link.result));
    }

    /** 75 of {@code sm_75}. */
    private static int architecture(Module module) {
        String digits = module.targets().getFirst().replaceAll("[^0-9]", "");
        return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
    }

    private void choose(Declaration declaration) {
        if (!isDefinition(declaration)) {
            return;
        }
        String name = name(declaration);
        Declaration known = chosen.get(name);
        if (known == null || isBetter(declaration, known)) {
            chosen.put(name, declaration);
        } else if (!isBetter(known, declaration) && isStrong(known)) {
            throw new PtxException(
                    Kind.INVALID,
                    position(declaration),
                    name + " is defined by two of the texts that are linked");
        }
    }

    @SuppressWarnings("ReferenceEquality") // equal declarations may be of two texts; one is chosen
    private void take(Declaration declaration) {
        switch (declaration) {
            case Function _, Declaration.Global _ -> {
                String name = name(declaration);
                boolean needed =
                        isDefinition(declaration)
                                ? chosen.get(name) == declaration
                                : !chosen.containsKey(name) && declared.add(name);
                if (needed) {
                    result.add(declaration);
                }
            }
            case Declaration.Alias alias -> {
                if (declared.add(alias.name())) {
                    result.add(alias);
                }
            }
            case Declaration.Pragma pragma -> result.add(pragma);
            // Numbers of files are those of their text.
            case Declaration.File _, Declaration.Section _ -> {}
        }
    }

    static boolean isDefinition(Declaration declaration) {
        return switch (declaration) {
            case Function function -> function.body() != null;
            case Declaration.Global global -> global.variable().linkage() != Linkage.EXTERN;
            case Declaration.File _,
                    Declaration.Section _,
                    Declaration.Alias _,
                    Declaration.Pragma _ ->
                    false;
        };
    }

    /** Strong ones win over weak ones, of common ones the largest. */
    private static boolean isBetter(Declaration one, Declaration other) {
        if (one instanceof Declaration.Global left
                && other instanceof Declaration.Global right
                && left.variable().linkage() == Linkage.COMMON
                && right.variable().linkage() == Linkage.COMMON) {
            return left.variable().bytes() > right.variable().bytes();
        }
        return isStrong(one) && !isStrong(other);
    }

    private static boolean isStrong(Declaration declaration) {
        Linkage linkage = linkage(declaration);
        return linkage != Linkage.WEAK && linkage != Linkage.COMMON;
    }

    static Linkage linkage(Declaration declaration) {
        return switch (declaration) {
            case Function function -> function.linkage();
            case Declaration.Global global -> global.variable().linkage();
            case Declaration.File _,
                    Declaration.Section _,
                    Declaration.Alias _,
                    Declaration.Pragma _ ->
                    Linkage.NONE;
        };
    }

    /** Of a function or variable; others have none that matters here. */
    static String name(Declaration declaration) {
        return switch (declaration) {
            case Function function -> function.name();
            case Declaration.Global global -> global.variable().name();
            case Declaration.File _,
                    Declaration.Section _,
                    Declaration.Alias _,
                    Declaration.Pragma _ ->
                    "";
        };
    }

    private static Position position(Declaration declaration) {
        return switch (declaration) {
            case Function function -> function.position();
            case Declaration.Global global -> global.variable().position();
            case Declaration.File _,
                    Declaration.Section _,
                    Declaration.Alias _,
                    Declaration.Pragma _ ->
                    Position.NONE;
        };
    }
}
