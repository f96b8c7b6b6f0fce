package facet.ptx;

/** State spaces (PTX ISA 5.1). An instruction without one addresses the generic space. */
public enum Space implements Suffix {
    REG("reg"),
    SREG("sreg"),
    CONST("const"),
    GLOBAL("global"),
    LOCAL("local"),
    PARAM("param"),
    PARAM_ENTRY("param::entry"),
    PARAM_FUNC("param::func"),
    SHARED("shared"),
    SHARED_CTA("shared::cta"),
    SHARED_CLUSTER("shared::cluster"),
    TEX("tex");

    private final String text;

    Space(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }

    public boolean isShared() {
        return this == SHARED || this == SHARED_CTA || this == SHARED_CLUSTER;
    }

    public boolean isParam() {
        return this == PARAM || this == PARAM_ENTRY || this == PARAM_FUNC;
    }
}
