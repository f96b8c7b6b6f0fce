package facet.node.link;

/**
 * One declaration of a text at its outermost level.
 *
 * @param name empty when it declares none
 * @param first index of its first token
 * @param end index behind its last token
 */
record Declared(What what, Linkage linkage, String name, int first, int end) {
    /** What is declared. */
    enum What {
        VARIABLE,
        /** With a body. */
        FUNCTION,
        /** Without one. */
        PROTOTYPE,
        /** Says something about the text as a whole. */
        HEADER,
        /** For debuggers; left out. */
        DEBUG,
        OTHER
    }

    /** Who sees the name. */
    enum Linkage {
        /** This text alone. */
        STATIC,
        VISIBLE,
        EXTERN,
        WEAK,
        COMMON
    }

    boolean isDefinition() {
        return (what == What.VARIABLE || what == What.FUNCTION) && linkage != Linkage.EXTERN;
    }

    /** Whether it only tells of something that is elsewhere. */
    boolean isReference() {
        return what == What.PROTOTYPE || what == What.VARIABLE && linkage == Linkage.EXTERN;
    }

    /** Whether other texts can see what is defined here. */
    boolean isShared() {
        return isDefinition() && linkage != Linkage.STATIC;
    }
}
