package facet.kube.names;

/**
 * A name as a pod wrote it.
 *
 * @param value in the unit that the name has; 0 of a text
 */
record Said(Name name, String text, long value) {
    /**
     * @param quantity as Kubernetes writes resources
     */
    static Said of(Name name, String text, boolean quantity) throws NamesException {
        if (name.unit() == Unit.TEXT) {
            return new Said(name, text.strip(), 0);
        }
        try {
            return new Said(name, text.strip(), name.unit().read(text, quantity));
        } catch (IllegalArgumentException e) {
            throw new NamesException(name.name() + ": " + text.strip() + ": " + e.getMessage());
        }
    }

    String shown() {
        return name.name() + ": " + text;
    }
}
