package facet.pool.link;

/** Why a link has ended. */
public enum LinkEnd {
    /** One of the sides has closed it. */
    CLOSED,
    /** Nobody was there. */
    UNREACHABLE,
    /** It was cut, and did not come back in time. */
    LOST,
    /** The other side is no member of this pool, or takes this one for none. */
    REFUSED,
    /** The other side has no such link any more: it was started anew. */
    FORGOTTEN,
    /** The other side sent what makes no sense. */
    VIOLATION
}
