package facet.ptx.flow;

import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Variable;
import facet.ptx.Work;
import java.util.List;

/** The registers that declarations make, numbered in order as the parser numbers them. */
final class RegisterNames {
    private RegisterNames() {}

    /** A parameter or result in a register; others add nothing. */
    static void add(Variable variable, List<Register> registers) {
        if (variable.space() == Space.REG) {
            registers.add(
                    new Register(
                            variable.name(), variable.type(), variable.lanes(), registers.size()));
        }
    }

    static void add(Statement.Registers declared, List<Register> registers) {
        for (Statement.Registers.Name name : declared.names()) {
            Work.steps(Math.max(1, name.count()));
            for (int i = 0; i < Math.max(1, name.count()); i++) {
                String text = name.count() > 0 ? name.text() + i : name.text();
                registers.add(
                        new Register(text, declared.type(), declared.lanes(), registers.size()));
            }
        }
    }
}
