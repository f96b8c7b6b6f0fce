package facet.ptx;

/** Linking directives (PTX ISA 11.6). */
public enum Linkage {
    NONE(""),
    VISIBLE(".visible"),
    EXTERN(".extern"),
    WEAK(".weak"),
    COMMON(".common");

    private final String text;

    Linkage(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
