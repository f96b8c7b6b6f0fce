package facet.device;

/**
 * What a kernel may access, settled by {@link Context#access} for a launch that is given to a
 * stream later. It means something to the context alone that made it.
 */
public interface Access {}
