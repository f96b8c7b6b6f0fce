package facet.jit.access;

/** The space that an instruction names, or none. */
enum Where {
    GLOBAL("global", "gv"),
    CONST("const", "cv"),
    SHARED("shared", "sv"),
    LOCAL("local", "lv"),
    PARAM("param", "blob"),
    GENERIC("", "");

    private final String space;
    private final String variable;

    Where(String space, String variable) {
        this.space = space;
        this.variable = variable;
    }

    /** As it stands in an instruction. */
    String suffix() {
        return space.isEmpty() ? "" : "." + space;
    }

    /** A variable of 64 bytes that lies there. */
    String variable() {
        return variable;
    }

    boolean isWritable() {
        return this != CONST && this != PARAM;
    }
}
