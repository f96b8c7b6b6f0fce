package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Verifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeviceLibraryTest {
    private static final String HEAD = ".version 9.0\n.target sm_75\n.address_size 64\n";

    private static Module complete(String text) {
        Module module = DeviceLibrary.complete(Parser.parse(HEAD + text));
        Verifier.verify(module);
        return module;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(.param .b32 r) cudaDeviceSynchronize ()",
                "(.param .b32 r) __cudaDeviceSynchronizeDeprecationAvoidance ()",
                "(.param .b64 r) cudaCGGetIntrinsicHandle (.param .b32 a)",
                "(.param .b32 r) cudaCGSynchronize (.param .b64 a, .param .b32 b)",
                "(.param .b32 r) cudaCGSynchronizeGrid (.param .b64 a, .param .b32 b)",
                "(.param .b32 r) cudaCGGetSize (.param .b64 a, .param .b64 b, .param .b64 c)",
                "(.param .b32 r) cudaCGGetRank (.param .b64 a, .param .b64 b, .param .b64 c)",
                "(.param .b64 r) cudaGetErrorName (.param .b32 a)",
                "(.param .b64 r) __cudaCDP2GetErrorString (.param .b32 a)"
            })
    void givesADeclarationItsBody(String signature) {
        Module module = complete(".extern .func " + signature + ";\n");
        String name = signature.replaceAll(".*\\) (\\w+) \\(.*", "$1");
        assertTrue(module.function(name).orElseThrow().body() != null);
        new Compiler(module);
    }

    @Test
    void leavesOthersAlone() {
        Module plain = Parser.parse(HEAD + ".visible .entry k() { ret; }\n");
        assertSame(plain, DeviceLibrary.complete(plain));
        Module own = Parser.parse(HEAD + ".func cudaDeviceSynchronize () { ret; }\n");
        assertSame(own, DeviceLibrary.complete(own));
    }

    @Test
    void aCallThatDoesNotFitIsRefused() {
        PtxException error =
                assertThrows(
                        PtxException.class,
                        () ->
                                complete(
                                        """
                                        .extern .func (.param .b32 r) cudaCGSynchronize
                                            (.param .b32 a, .param .b32 b);
                                        .visible .entry k()
                                        {
                                            .param .b32 a; .param .b32 b; .param .b32 r;
                                            call (r), cudaCGSynchronize, (a, b);
                                            ret;
                                        }
                                        """));
        assertEquals(PtxException.Kind.INVALID, error.kind());
    }

    /** What it adds is added once, whatever names are asked for. */
    @Test
    void severalOfThem() {
        Module module =
                complete(
                        """
                        .extern .func (.param .b64 r) cudaGetErrorName (.param .b32 a);
                        .extern .func (.param .b64 r) __cudaCDP2GetErrorName (.param .b32 a);
                        .extern .func (.param .b32 r) cudaDeviceSynchronize ();
                        .extern .func (.param .b32 r) cudaDeviceSynchronize ();
                        """);
        new Compiler(module);
    }
}
