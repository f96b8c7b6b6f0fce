package facet.testkit.filetest;

import facet.ptx.Declaration;
import facet.ptx.Form;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.InstructionTable;
import facet.ptx.Module;
import facet.ptx.Operand;
import facet.ptx.OperandPattern;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which parts of the instruction tables occur in files: forms with each suffix and operand, and in
 * which files.
 */
final class Coverage {
    private final Set<String> seen = new HashSet<>();
    private final Map<Form, Set<String>> files = new HashMap<>();
    private String file = "";

    /**
     * @param name of the file
     */
    void add(String name, String ptx) {
        file = name;
        Module module;
        try {
            module = Parser.parse(ptx);
        } catch (PtxException e) {
            return; // its own test says so
        }
        for (Declaration each : module.declarations()) {
            if (each instanceof Function function && function.body() != null) {
                function.body().forEach(this::statement);
            }
        }
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Scope scope -> scope.statements().forEach(this::statement);
            case Instruction instruction -> {
                for (Form form : InstructionTable.forms(instruction.opcode())) {
                    if (form.accepts(instruction.suffixes())) {
                        instruction(form, instruction);
                    }
                }
            }
            default -> {}
        }
    }

    private void instruction(Form form, Instruction instruction) {
        List<OperandPattern> patterns = form.patterns(instruction);
        if (patterns == null) {
            return;
        }
        seen.add(part(form, ""));
        files.computeIfAbsent(form, each -> new LinkedHashSet<>()).add(file);
        int types = 0;
        for (Suffix suffix : instruction.suffixes()) {
            seen.add(part(form, suffix(suffix, types)));
            types += suffix instanceof Type ? 1 : 0;
        }
        for (OperandPattern each : patterns) {
            seen.add(part(form, each.name()));
        }
        for (Operand each : instruction.operands()) {
            seen.add(part(form, each instanceof Operand.PredicatePair ? "pair" : "single"));
        }
    }

    /** Files that have the form, in the order in which they were added. */
    Set<String> files(Form form) {
        return files.getOrDefault(form, Set.of());
    }

    /** All parts of the table that no file has. */
    Set<String> missing() {
        Set<String> missing = new LinkedHashSet<>();
        for (Form form : InstructionTable.forms()) {
            expected(form).stream()
                    .map(each -> part(form, each))
                    .filter(each -> !seen.contains(each))
                    .forEach(missing::add);
        }
        return missing;
    }

    private static Set<String> expected(Form form) {
        Set<String> parts = new LinkedHashSet<>(List.of(""));
        int types = 0;
        for (Form.Slot slot : form.slots()) {
            boolean ofTypes = slot.accepted().getFirst() instanceof Type;
            for (Suffix suffix : slot.accepted()) {
                parts.add(suffix(suffix, types));
            }
            types += ofTypes ? 1 : 0;
        }
        for (OperandPattern each : form.operands()) {
            if (each.optional()) {
                parts.add(each.name());
            }
            if (each.pair() == OperandPattern.Pair.OPTIONAL) {
                parts.add("pair");
                parts.add("single");
            }
        }
        return parts;
    }

    /** Types count by their place: {@code dp4a.u32.s32} has two of them. */
    private static String suffix(Suffix suffix, int types) {
        return suffix instanceof Type
                ? "." + suffix.text() + (types == 0 ? "" : " as type " + (types + 1))
                : "." + suffix.text();
    }

    private static String part(Form form, String detail) {
        String text = form.section() + " " + form.text().replaceAll("\\s+", " ");
        return detail.isEmpty() ? text : text + "  with " + detail;
    }
}
