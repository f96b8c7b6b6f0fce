package facet.ptx.rewrite;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Geometry;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Parser;
import facet.ptx.Printer;
import facet.ptx.PtxException;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.TextureOperands;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes kernels find textures and surfaces by numbers that are not the driver's: before each use
 * the number is looked up in a table ({@link TextureTable}), to which a variable of the module
 * points. Surfaces become plain memory: their accesses are loads and stores at the address that the
 * table says. References of old modules become variables that hold a number.
 */
public final class TextureNumbers {
    private static final int TRAP = 0;
    private static final int CLAMP = 1;
    private static final int ZERO_READ = 2;
    private static final int ZERO_WRITE = 3;

    private final FreshNames fresh;
    private final Set<String> references = new HashSet<>();
    private final Register found;
    private boolean reads;
    private boolean writes;

    private TextureNumbers(FreshNames fresh) {
        this.fresh = fresh;
        found = Code.register(fresh.register("found"), Type.B64);
    }

    /**
     * @param table the variable of 8 bytes that is to hold the table's address; null: the text uses
     *     no textures, and is as it was
     * @param writes whether something is written to surfaces
     */
    public record Changed(String text, @Nullable String table, boolean writes) {}

    /**
     * @throws PtxException when the text is wrong, or does with textures what cannot be done so
     */
    public static Changed change(String text) {
        Module module = Parser.parse(text);
        TextureNumbers numbers = new TextureNumbers(FreshNames.of(text));
        List<Declaration> own = new ArrayList<>();
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global && isReference(global.variable())) {
                numbers.references.add(global.variable().name());
                own.add(new Declaration.Global(number(global.variable())));
            } else {
                own.add(each);
            }
        }
        own.replaceAll(
                each -> each instanceof Function function ? numbers.function(function) : each);
        if (!numbers.reads && numbers.references.isEmpty()) {
            return new Changed(text, null, false);
        }
        String version = module.version() / 10 + "." + module.version() % 10;
        Module functions =
                Parser.parse(
                        TextureTable.functions(
                                version, module.targets().getFirst(), numbers.fresh.variable("")));
        List<Declaration> all = new ArrayList<>(functions.declarations());
        all.addAll(own);
        return new Changed(
                Printer.print(
                        new Module(module.version(), module.targets(), module.addressSize(), all)),
                numbers.fresh.variable("table"),
                numbers.writes);
    }

    private static boolean isReference(Variable variable) {
        return variable.type() == Type.TEXREF || variable.type() == Type.SURFREF;
    }

    private static Variable number(Variable reference) {
        return new Variable(
                reference.position(),
                reference.linkage(),
                Space.GLOBAL,
                Long.BYTES,
                Type.U64,
                1,
                reference.name(),
                reference.dimensions(),
                List.of(),
                null);
    }

    private Function function(Function function) {
        List<Statement> body = function.body();
        if (body == null) {
            return function;
        }
        List<Statement> all = new ArrayList<>();
        all.add(Code.declare(Type.B64, List.of(found.name())));
        all.addAll(statements(body));
        return Code.with(function, all);
    }

    private List<Statement> statements(List<Statement> statements) {
        List<Statement> all = new ArrayList<>();
        for (Statement each : statements) {
            switch (each) {
                case Statement.Scope scope ->
                        all.add(new Statement.Scope(statements(scope.statements())));
                case Instruction instruction -> add(instruction, all);
                case Statement.Local _,
                        Statement.Label _,
                        Statement.Registers _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Prototype _,
                        Statement.Targets _ ->
                        all.add(each);
            }
        }
        return all;
    }

    private void add(Instruction instruction, List<Statement> all) {
        switch (instruction.opcode()) {
            case TEX, TLD4 -> texture(instruction, all);
            case TXQ -> query(instruction, all);
            case SULD -> surface(instruction, 1, Opcode.LD, all);
            case SUST -> surface(instruction, 0, Opcode.ST, all);
            case SURED -> surface(instruction, 0, Opcode.RED, all);
            case MOV -> move(instruction, all);
            case SUQ, ISTYPEP ->
                    throw lacking(instruction, "asks what a texture or surface is like");
            default -> {
                instruction.operands().forEach(each -> refuse(instruction, each));
                all.add(instruction);
            }
        }
    }

    /** A reference as a value is its number. */
    private void move(Instruction instruction, List<Statement> all) {
        if (instruction.operand(1) instanceof Operand.Symbol symbol
                && references.contains(symbol.name())) {
            all.add(
                    Code.guarded(
                            instruction.guard(),
                            Opcode.LD,
                            List.of(Space.GLOBAL, Type.U64),
                            instruction.operand(0),
                            Code.at(symbol.name(), symbol.offset())));
        } else {
            instruction.operands().forEach(each -> refuse(instruction, each));
            all.add(instruction);
        }
    }

    private static PtxException lacking(Instruction instruction, String why) {
        return PtxException.lacking(
                instruction.position(),
                instruction.mnemonic(),
                instruction.mnemonic()
                        + " "
                        + why
                        + ", which cannot be answered where a driver has the device");
    }

    /** Its address would have to be the driver's. */
    private void refuse(Instruction instruction, Operand operand) {
        if (operand instanceof Operand.Symbol symbol && references.contains(symbol.name())) {
            throw lacking(instruction, "takes the address of " + symbol.name());
        }
        operand.parts().forEach(each -> refuse(instruction, each));
    }

    /** The register with the number. */
    private Operand number(Operand texture, List<Statement> all) {
        if (texture instanceof Operand.Symbol symbol) {
            all.add(
                    Code.of(
                            Opcode.LD,
                            List.of(Space.GLOBAL, Type.U64),
                            found,
                            Code.at(symbol.name(), symbol.offset())));
            return found;
        }
        return texture;
    }

    private void call(String function, List<Operand> arguments, List<Statement> all) {
        reads = true;
        all.add(
                Code.of(
                        Opcode.CALL,
                        List.of(),
                        new Operand.Arguments(List.of(found)),
                        Code.symbol(fresh.variable(function)),
                        new Operand.Arguments(arguments)));
    }

    private void texture(Instruction instruction, List<Statement> all) {
        List<Operand> operands = new ArrayList<>(instruction.operands());
        TextureOperands parts = TextureOperands.of(operands.get(1));
        if (parts.sampler() != null) {
            throw lacking(instruction, "names a sampler of its own");
        }
        call("texture", List.of(number(parts.texture(), all)), all);
        Operand coordinates = ((Operand.Indexed) operands.get(1)).elements().getLast();
        operands.set(1, new Operand.Indexed(List.of(found, coordinates)));
        all.add(with(instruction, operands));
    }

    private static Instruction with(Instruction instruction, List<Operand> operands) {
        return new Instruction(
                instruction.position(),
                instruction.guard(),
                instruction.opcode(),
                instruction.suffixes(),
                List.copyOf(operands));
    }

    private void query(Instruction instruction, List<Statement> all) {
        List<Operand> operands = new ArrayList<>(instruction.operands());
        if (!(operands.get(1) instanceof Operand.Address address) || address.base() == null) {
            throw lacking(instruction, "has no texture");
        }
        call("texture", List.of(number(address.base(), all)), all);
        operands.set(1, Code.at(found, 0));
        all.add(with(instruction, operands));
    }

    // ---- surfaces

    private void surface(Instruction instruction, int at, Opcode access, List<Statement> all) {
        if (instruction.has(Modifier.P)) {
            throw lacking(instruction, "depends on the format of its surface");
        }
        boolean writing = access != Opcode.LD;
        writes |= writing;
        TextureOperands parts = TextureOperands.of(instruction.operand(at));
        Geometry geometry = Geometry.of(instruction);
        List<Operand> given = parts.coordinates();
        int first = geometry.isLayered() ? 1 : 0;
        Operand y = geometry.coordinates() < 2 ? Code.number(0) : given.get(first + 1);
        Operand z =
                geometry.isLayered()
                        ? given.getFirst()
                        : geometry.coordinates() < 3 ? Code.number(0) : given.get(2);
        Type type = instruction.type();
        int lanes = instruction.has(Modifier.V4) ? 4 : instruction.has(Modifier.V2) ? 2 : 1;
        call(
                "surface",
                List.of(
                        number(parts.texture(), all),
                        given.get(first),
                        y,
                        z,
                        Code.number((long) lanes * type.bytes()),
                        Code.number(edge(instruction, writing))),
                all);
        List<Suffix> suffixes = new ArrayList<>(List.of(Space.GLOBAL));
        if (access == Opcode.RED) {
            suffixes.add(operation(instruction));
        }
        if (lanes > 1) {
            suffixes.add(lanes == 2 ? Modifier.V2 : Modifier.V4);
        }
        suffixes.add(type);
        List<Operand> operands = new ArrayList<>(instruction.operands());
        operands.set(at, Code.at(found, 0));
        all.add(
                new Instruction(
                        instruction.position(),
                        instruction.guard(),
                        access,
                        List.copyOf(suffixes),
                        List.copyOf(operands)));
    }

    private static int edge(Instruction instruction, boolean writing) {
        if (instruction.has(Modifier.CLAMP)) {
            return CLAMP;
        }
        return instruction.has(Modifier.ZERO) ? writing ? ZERO_WRITE : ZERO_READ : TRAP;
    }

    private static Suffix operation(Instruction instruction) {
        return List.of(Modifier.ADD, Modifier.MIN, Modifier.MAX, Modifier.AND, Modifier.OR).stream()
                .filter(instruction::has)
                .findFirst()
                .orElseThrow();
    }
}
