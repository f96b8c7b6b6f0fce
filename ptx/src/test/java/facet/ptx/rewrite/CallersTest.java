package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.ptx.Parser;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who may take of the kernels' heap. */
final class CallersTest {
    private static final String MALLOC =
            ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n";
    private static final String TAKE =
            ".func take() { .param .b64 a; .param .b64 r; call (r), malloc, (a); ret; }\n";
    private static final String TAKES = ".entry takes() { call take; ret; }\n";
    private static final String PLAIN =
            ".global .align 8 .b8 malloc_count[8];\n.entry plain() { ret; }\n";

    private static Set<String> found(String... parts) {
        String text = Texts.HEAD + String.join("", parts);
        return new TreeSet<>(Callers.of(Parser.parse(text)).to(Set.of("malloc")));
    }

    @Test
    void aNameInTheTextIsNoCall() {
        assertEquals(Set.of(), found(PLAIN));
        assertEquals(Set.of(), found(MALLOC, PLAIN));
    }

    @Test
    void callsOfCallsCountAndOthersDoNot() {
        assertEquals(Set.of("take", "takes"), found(MALLOC, TAKE, TAKES, PLAIN));
    }

    @Test
    void whoCallsThroughAPointerMayMeetWhatHasItsAddressTaken() {
        String points = ".global .align 8 .u64 pointer = take;\n";
        String indirect =
                """
                .entry indirect() { .reg .b64 %l1; prototype: .callprototype _ ();
                mov.u64 %l1, 0; call %l1, prototype; ret; }
                """;
        assertEquals(Set.of("take"), found(MALLOC, TAKE, indirect));
        assertEquals(Set.of("", "indirect", "take"), found(MALLOC, TAKE, points, indirect, PLAIN));
        String itself = ".global .align 8 .u64 pointer = malloc;\n";
        assertEquals(Set.of("", "indirect"), found(MALLOC, itself, indirect));
    }

    @Test
    void whoLaunchesMayLaunchWhatTakes() {
        String launcher =
                """
                .extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);
                .entry launches() { .reg .b64 %l1; .param .b64 a; .param .b64 b; .param .b32 r;
                mov.u64 %l1, takes; call (r), cudaLaunchDeviceV2, (a, b); ret; }
                """;
        assertEquals(
                Set.of("", "launches", "take", "takes"),
                found(MALLOC, TAKE, TAKES, launcher, PLAIN));
    }
}
