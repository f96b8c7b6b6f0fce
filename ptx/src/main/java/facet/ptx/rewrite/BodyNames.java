package facet.ptx.rewrite;

import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.List;

/** Registers and labels that are added to bodies; the same names in each of them. */
final class BodyNames {
    final FreshNames fresh;
    final Register word;
    final Register other;
    final Register predicate;

    /** Always true. */
    final Register yes;

    /** In persistent kernels: whether the thread takes blocks for all. */
    final Register leader;

    /** What the leader has taken; others only read what it has written down. */
    final Register x;

    final Register y;
    final Register z;
    final Register given;
    final Register state;
    final Register box;
    final String next;
    final String give;
    final String meet;
    final String hidden;
    final String ended;

    BodyNames(FreshNames fresh) {
        this.fresh = fresh;
        word = Code.register(fresh.register("word"), Type.B32);
        other = Code.register(fresh.register("other"), Type.B32);
        predicate = Code.register(fresh.register("predicate"), Type.PRED);
        yes = Code.register(fresh.register("yes"), Type.PRED);
        leader = Code.register(fresh.register("leader"), Type.PRED);
        x = Code.register(fresh.register("x"), Type.B32);
        y = Code.register(fresh.register("y"), Type.B32);
        z = Code.register(fresh.register("z"), Type.B32);
        given = Code.register(fresh.register("given"), Type.B32);
        state = Code.register(fresh.register("state"), Type.B64);
        box = Code.register(fresh.register("box"), Type.B64);
        next = fresh.label("next");
        give = fresh.label("give");
        meet = fresh.label("meet");
        hidden = fresh.variable("hidden");
        ended = fresh.variable("ended");
    }

    Register value(Hidden hidden) {
        return Code.register(fresh.register(hidden.text()), hidden.type());
    }

    /** The declarations of what a body uses. */
    List<Statement> declarations(Role role, int values, boolean inRegisters) {
        List<Statement> declarations = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of(word.name(), other.name()));
        List<String> longs = new ArrayList<>();
        List<String> predicates = new ArrayList<>(List.of(predicate.name(), yes.name()));
        int all = role == Role.PERSISTENT ? values | 0b111111 : values;
        for (Hidden each : Hidden.values()) {
            if (each.in(all) && !inRegisters) {
                (each.type() == Type.B64 ? longs : words).add(value(each).name());
            }
        }
        if (role == Role.PERSISTENT) {
            words.addAll(List.of(x.name(), y.name(), z.name(), given.name()));
            longs.addAll(List.of(state.name(), box.name()));
            predicates.add(leader.name());
        }
        declarations.add(Code.declare(Type.B32, words));
        if (!longs.isEmpty()) {
            declarations.add(Code.declare(Type.B64, longs));
        }
        declarations.add(Code.declare(Type.PRED, predicates));
        return declarations;
    }
}
