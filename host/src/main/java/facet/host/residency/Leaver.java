package facet.host.residency;

/** What can leave a device. */
sealed interface Leaver permits ContextMoves.Group, RemoteRoom.Part {}
