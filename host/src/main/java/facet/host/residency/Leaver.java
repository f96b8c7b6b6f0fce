package facet.host.residency;

/** What can leave a device. */
sealed interface Leaver permits ContextHolding.Group, RemoteRoom.Part {}
