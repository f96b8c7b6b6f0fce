package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says whether Facet can run a module: every instruction has a form in {@code instructions.table},
 * its operands fit, and names are defined once and exist.
 *
 * <p>The version is not held against 9.0: a newer compiler is welcome as long as it emits what the
 * table knows.
 */
public final class Verifier {
    private static final Pattern ARCHITECTURE =
            Pattern.compile("(sm|compute)_[1-9][0-9]{1,2}[af]?");
    private static final Set<String> OPTIONS =
            Set.of("debug", "texmode_unified", "texmode_independent", "map_f64_to_f32");

    /** Programs that want to run on all devices ask for no more than 8. */
    private static final int MOST_BLOCKS_OF_CLUSTER = 16;

    private Verifier() {}

    /**
     * @throws PtxException with line and column, the nearest accepted form and what to do
     */
    public static void verify(Module module) {
        header(module);
        VerifierScope scope = VerifierScope.of(module);
        for (Declaration each : module.declarations()) {
            switch (each) {
                case Function function -> function(function, scope);
                case Declaration.Global global -> variable(global.variable());
                case Declaration.Alias _,
                        Declaration.File _,
                        Declaration.Section _,
                        Declaration.Pragma _ -> {}
            }
        }
    }

    static boolean isArchitecture(String target) {
        return ARCHITECTURE.matcher(target).matches();
    }

    private static void header(Module module) {
        if (module.version() < 10) {
            throw invalid(Position.NONE, "there is no PTX ISA version " + module.version() / 10.0);
        }
        List<String> targets = module.targets();
        for (String option : targets.subList(1, targets.size())) {
            if (!OPTIONS.contains(option) && !ARCHITECTURE.matcher(option).matches()) {
                throw invalid(Position.NONE, ".target has the unknown option " + option);
            }
        }
    }

    /** Clusters that no launch could have (PTX ISA 11.7). */
    private static void cluster(Function kernel, Function.Directive directive) {
        boolean most = directive.name().equals("maxclusterrank");
        if (directive.name().equals("blocksareclusters")) {
            throw PtxException.lacking(
                    kernel.position(),
                    ".blocksareclusters",
                    "kernel "
                            + kernel.name()
                            + " counts its grid in clusters (.blocksareclusters), which this device"
                            + " does not; leave out __block_size__ and launch blocks");
        }
        if (!most && !directive.name().equals("reqnctapercluster")) {
            return;
        }
        List<Long> values = directive.values();
        boolean good =
                values.stream().allMatch(each -> each >= 1)
                        && values.size() <= (most ? 1 : 3)
                        && (most
                                || values.stream().reduce(1L, Extent::product)
                                        <= MOST_BLOCKS_OF_CLUSTER);
        if (!good) {
            throw invalid(
                    kernel.position(),
                    "."
                            + directive.name()
                            + " of "
                            + kernel.name()
                            + " is "
                            + values
                            + "; a cluster has 1 to "
                            + MOST_BLOCKS_OF_CLUSTER
                            + " blocks");
        }
    }

    private static void function(Function function, VerifierScope module) {
        if (function.kernel()) {
            kernel(function);
        }
        function.results().forEach(Verifier::variable);
        function.parameters().forEach(Verifier::variable);
        StorageVerifier.verify(function);
        if (function.body() != null) {
            statements(function.body(), module.inside(function));
        }
    }

    private static void kernel(Function function) {
        if (!function.results().isEmpty()) {
            throw invalid(function.position(), "the kernel " + function.name() + " has a result");
        }
        for (Variable parameter : function.parameters()) {
            if (!parameter.space().isParam()) {
                throw invalid(
                        parameter.position(),
                        "the parameter " + parameter.name() + " of a kernel must be in .param");
            }
        }
        for (Function.Directive each : function.directives()) {
            cluster(function, each);
            boolean threads = each.name().equals("maxntid") || each.name().equals("reqntid");
            if (threads && each.values().stream().anyMatch(Verifier::isNoCount)) {
                throw invalid(
                        function.position(),
                        "."
                                + each.name()
                                + " of "
                                + function.name()
                                + " is "
                                + each.values()
                                + ", which are no numbers of threads");
            }
        }
    }

    private static boolean isNoCount(long value) {
        return value < 1 || value > Integer.MAX_VALUE;
    }

    private static void statements(List<Statement> statements, VerifierScope outer) {
        VerifierScope scope = outer.inside(statements);
        InstructionVerifier instructions = new InstructionVerifier(scope);
        for (Statement each : statements) {
            switch (each) {
                case Instruction instruction -> instructions.verify(instruction);
                case Statement.Scope inner -> statements(inner.statements(), scope);
                case Statement.Local local -> variable(local.variable());
                case Statement.Registers registers -> registers(registers);
                case Statement.Prototype prototype -> StorageVerifier.verify(prototype);
                case Statement.Label _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Targets _ -> {}
            }
        }
    }

    private static void registers(Statement.Registers registers) {
        if (registers.type().kind() == Type.Kind.OPAQUE) {
            throw invalid(
                    registers.position(),
                    "a register cannot be declared ." + registers.type().text());
        }
    }

    private static void variable(Variable variable) {
        if (variable.type() == Type.PRED && variable.space() != Space.REG) {
            throw invalid(
                    variable.position(),
                    variable.name() + " cannot be .pred; keep a predicate in memory as .u8");
        }
        if (Integer.bitCount(variable.alignment()) > 1 || variable.alignment() < 0) {
            throw invalid(
                    variable.position(),
                    "the alignment of " + variable.name() + " must be a power of two");
        }
        StorageVerifier.verify(variable);
    }

    private static PtxException invalid(Position position, String message) {
        return new PtxException(Kind.INVALID, position, message);
    }
}
