package facet.abi.generate;

/**
 * A field at its place.
 *
 * @param type in C, without the count
 * @param count of elements, 0 when it is no array
 */
record Field(String name, String type, int offset, int count, String comment) {

    /** Fields that only hold the place of something. */
    boolean isUnused() {
        return name.matches("unused\\d*|.*Unused");
    }

    String declaration() {
        return type + " " + Names.snake(name) + (count == 0 ? "" : "[" + count + "]") + ";";
    }
}
