package facet.bench;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The PTX that nvcc wrote for the tests. */
final class PtxCorpus {
    private static final List<String> FOLDERS =
            List.of(
                    "device-cpu/src/test/resources/cuda",
                    "ptx/src/test/resources/ptx",
                    "bench/kernels");
    private static final Pattern HEADER =
            Pattern.compile("(?m)^\\s*\\.(version|target|address_size)\\b.*$");

    /** A whole name: not an opcode, which a point follows, and not one of its parts. */
    private static final Pattern WORD =
            Pattern.compile("(?<![.A-Za-z0-9_$%])[A-Za-z_$%][A-Za-z0-9_$]*(?![.A-Za-z0-9_$])");

    private PtxCorpus() {}

    /** Files that Facet runs and that can stand beside others in one module: no sections. */
    static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(Places.inRepository(folder))) {
                for (Path each :
                        files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList()) {
                    String text = Files.readString(each);
                    if (text.contains("NVVM Compiler")
                            && !text.contains(".section")
                            && isAccepted(text)) {
                        texts.add(text);
                    }
                }
            }
        }
        return texts;
    }

    private static boolean isAccepted(String text) {
        try {
            Verifier.verify(Parser.parse(text));
            return true;
        } catch (PtxException e) {
            return false;
        }
    }

    /**
     * One module of at least so many characters: the texts over and over, each with names of its
     * own.
     */
    static String concatenate(List<String> texts, int characters) {
        List<Set<String>> names = texts.stream().map(text -> names(Parser.parse(text))).toList();
        List<String> bodies =
                texts.stream().map(text -> HEADER.matcher(text).replaceAll("")).toList();
        StringBuilder all =
                new StringBuilder(characters + (1 << 20))
                        .append(".version 9.0\n.target sm_100a\n.address_size 64\n");
        for (int copy = 0; all.length() < characters; copy++) {
            int index = copy % texts.size();
            String suffix = "_" + copy;
            Set<String> known = names.get(index);
            WORD.matcher(bodies.get(index))
                    .replaceAll(match ->
                            Matcher.quoteReplacement(
                                    known.contains(match.group())
                                            ? match.group() + suffix
                                            : match.group()))
                    .lines()
                    .forEach(line -> all.append(line).append('\n'));
        }
        return all.toString();
    }

    /** Those of the module's scope, but for what the system provides. */
    private static Set<String> names(Module module) {
        return module.declarations().stream()
                .map(each ->
                        switch (each) {
                            case Function function -> function.name();
                            case Declaration.Global global -> global.variable().name();
                            case Declaration.File _,
                                    Declaration.Section _,
                                    Declaration.Alias _,
                                    Declaration.Pragma _ ->
                                    "";
                        })
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
