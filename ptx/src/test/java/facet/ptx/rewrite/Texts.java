package facet.ptx.rewrite;

import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;

/** Short modules for tests. */
final class Texts {
    /** Line 1 to 3 of every text. */
    static final String HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";

    private Texts() {}

    /** The statements begin on line 5, behind registers of every kind. */
    static String kernel(String statements) {
        return HEAD
                + ".visible .entry k(.param .u64 p) { .reg .pred %p<9>; .reg .b16 %h<9>;"
                + " .reg .b32 %r<9>; .reg .b64 %l<9>; .shared .align 8 .b8 s[64];\n"
                + statements
                + "\n}\n";
    }

    /** Rewritten text that is right in the verifier's eyes. */
    static Module verified(Rewritten rewritten) {
        Module module = Parser.parse(rewritten.text());
        Verifier.verify(module);
        return module;
    }
}
