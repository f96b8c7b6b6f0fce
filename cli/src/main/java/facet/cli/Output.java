package facet.cli;

/** How a command prints its result. */
enum Output {
    TEXT,
    JSON
}
