package facet.host.residency;

/** Somebody who wants to be told when memory is there. */
public interface Later {
    /**
     * Comes once, on any thread that has no gate; it is not to wait.
     *
     * @param possible whether to try again; false when there is no room, or the context ends
     */
    void again(boolean possible);
}
