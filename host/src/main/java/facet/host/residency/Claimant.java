package facet.host.residency;

import java.util.Optional;

/**
 * Somebody who may wait for room: a context, or a process that has contexts. Called by the serving
 * thread.
 */
sealed interface Claimant permits ContextHolding, RemoteRoom {
    /** How it went. */
    sealed interface Outcome {
        /**
         * It has its room, or wants it no more.
         *
         * @param granted whether it has
         * @param again whether it waits on all the same
         */
        record Over(boolean granted, boolean again) implements Outcome {}

        /** So many bytes are not free. */
        record Missing(long bytes) implements Outcome {}

        /**
         * It cannot take anything at the moment.
         *
         * @param soon whether that is about to end
         */
        record Busy(boolean soon) implements Outcome {}
    }

    /** Whether nothing is to be done for it any more. */
    boolean isLeaving();

    /** Whether it waits for a while when what others have cannot leave. */
    default boolean isPatient() {
        return true;
    }

    /** Takes what it waits for, if that is free. */
    Outcome claim();

    /**
     * There will be no room for it.
     *
     * @return whether it waits on all the same; empty when it cannot be told at the moment
     */
    Optional<Boolean> refuse(long missing);
}
