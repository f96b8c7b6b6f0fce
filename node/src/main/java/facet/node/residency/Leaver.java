package facet.node.residency;

/** What can leave a device. */
sealed interface Leaver permits Tenant.Group, RemoteRoom.Part {}
