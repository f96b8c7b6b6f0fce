package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LinkTest {
    private static final String HEADER = ".version 8.0\n.target sm_75\n.address_size 64\n";

    private static final String USER =
            HEADER
                    + """
                    .extern .func (.param .b32 result) helper(.param .b32 a);
                    .extern .global .align 4 .u32 shared_variable;
                    .visible .entry k(.param .u64 p) {
                        .reg .b32 %r<3>;
                        .param .b32 argument;
                        .param .b32 answer;
                        ld.global.u32 %r1, [shared_variable];
                        st.param.b32 [argument], %r1;
                        call.uni (answer), helper, (argument);
                        ld.param.b32 %r2, [answer];
                        ret;
                    }
                    """;

    private static final String PROVIDER =
            HEADER
                    + """
                    .visible .global .align 4 .u32 shared_variable = 100;
                    .visible .func (.param .b32 result) helper(.param .b32 a) {
                        .reg .b32 %r<2>;
                        ld.param.u32 %r1, [a];
                        st.param.b32 [result], %r1;
                        ret;
                    }
                    """;

    private static Module linked(String... texts) {
        Module module = Parser.parse(Link.link(List.of(texts)));
        Verifier.verify(module);
        return module;
    }

    private static String with(String... lines) {
        return HEADER + String.join("\n", lines) + "\n";
    }

    private static long named(Module module, String name) {
        return module.declarations().stream().filter(each -> Link.name(each).equals(name)).count();
    }

    @Test
    void whatIsExternIsFoundInEitherOrder() {
        for (Module module : List.of(linked(USER, PROVIDER), linked(PROVIDER, USER))) {
            assertEquals(1, named(module, "helper"));
            assertEquals(1, named(module, "shared_variable"));
            assertTrue(module.function("helper").orElseThrow().body() != null);
            assertEquals(1, module.kernels().size());
        }
    }

    @Test
    void whatNobodyDefinesStaysExtern() {
        Module module = linked(USER, with(".visible .entry other() { ret; }"));
        assertEquals(Linkage.EXTERN, module.function("helper").orElseThrow().linkage());
        assertEquals(2, module.kernels().size());
    }

    @Test
    void aNameDefinedTwiceIsRefused() {
        PtxException e = assertThrows(PtxException.class, () -> linked(PROVIDER, PROVIDER));
        assertTrue(e.getMessage().contains("shared_variable"), e.getMessage());
    }

    @Test
    void strongDefinitionsWinOverWeakOnes() {
        String weak = with(".weak .global .u32 v = 1;");
        String strong = with(".visible .global .u32 v = 2;");
        for (Module module : List.of(linked(weak, strong, weak), linked(strong, weak))) {
            assertEquals(1, named(module, "v"));
            assertEquals(Linkage.VISIBLE, Link.linkage(module.declarations().getFirst()));
        }
        assertEquals(1, named(linked(weak, weak), "v"));
    }

    @Test
    void ofCommonVariablesTheLargestIsTaken() {
        Module module =
                linked(with(".common .global .b8 v[4];"), with(".common .global .b8 v[16];"));
        Declaration.Global global = (Declaration.Global) module.declarations().getFirst();
        assertEquals(16, global.variable().bytes());
        assertEquals(1, module.declarations().size());
    }

    @Test
    void privateNamesStayApart() {
        String text =
                """
                .global .u32 counter = %d;
                .func inner() { .reg .b32 %%r<2>; ld.global.u32 %%r1, [counter]; ret; }
                .visible .entry %s() { call inner; ret; }
                """;
        Module module =
                linked(
                        HEADER + text.formatted(1, "first"),
                        HEADER + text.formatted(2, "second"),
                        HEADER + text.formatted(3, "third"));
        assertEquals(9, module.declarations().size());
        assertEquals(1, named(module, "counter"));
        assertEquals(1, named(module, "counter$2"));
        assertEquals(1, named(module, "counter$3"));
        String print = Printer.print(module);
        assertTrue(print.contains("[counter$2]"), print);
        assertTrue(print.contains("inner$3"), print);
    }

    @Test
    void dynamicSharedMemoryIsDeclaredOnce() {
        String text = ".extern .shared .align 16 .b8 memory[];\n.visible .entry %s() { ret; }\n";
        Module module = linked(HEADER + text.formatted("a"), HEADER + text.formatted("b"));
        assertEquals(1, named(module, "memory"));
    }

    @Test
    void theNewestTargetIsTaken() {
        Module module =
                linked(
                        ".version 7.0\n.target sm_86, debug\n.address_size 64\n",
                        ".version 8.4\n.target sm_75\n.address_size 64\n");
        assertEquals(84, module.version());
        assertEquals(List.of("sm_86", "debug"), module.targets());
    }

    @Test
    void onlyWholeIdentifiersAreRespelled() {
        String before = "a ab .a %a // a\n/* a */ \"a\" 0xa a$ [a+4];";
        assertEquals(
                "b ab .a %a // a\n/* a */ \"a\" 0xa a$ [b+4];",
                PrivateNames.respell(before, Map.of("a", "b")));
        assertFalse(PrivateNames.respell("/* a", Map.of("a", "b")).contains("b"));
        assertEquals("\"a", PrivateNames.respell("\"a", Map.of("a", "b")));
    }
}
