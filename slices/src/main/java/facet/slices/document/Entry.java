package facet.slices.document;

import facet.slices.Settings;

/**
 * A slice in a document.
 *
 * @param line where it begins, from 1
 */
public record Entry(String name, Settings settings, int line) {}
