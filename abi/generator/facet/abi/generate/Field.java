package facet.abi.generate;

/**
 * A field at its place.
 *
 * @param type in C, without the count
 * @param count of elements, 0 when it is no array
 * @param was its name when the protocol was pinned: what was unused may get a use, as long as older
 *     ones leave 0 there
 */
record Field(String name, String type, int offset, int count, String was, String comment) {

    /** Fields that only hold the place of something. */
    boolean isUnused() {
        return name.matches("unused\\d*|.*Unused");
    }

    String declaration() {
        return declaration(name);
    }

    /** The declaration that the protocol is known by. */
    String pinned() {
        return declaration(was);
    }

    private String declaration(String called) {
        return type + " " + Names.snake(called) + (count == 0 ? "" : "[" + count + "]") + ";";
    }
}
