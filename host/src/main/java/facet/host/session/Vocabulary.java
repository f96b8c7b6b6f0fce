package facet.host.session;

import facet.abi.Dispatcher;
import facet.abi.Envelope;
import facet.device.DeviceException;

/**
 * An API that programs speak in a session: who acts on its commands, and what it calls that which
 * goes wrong. For the session's thread.
 */
interface Vocabulary {
    Dispatcher dispatcher();

    // ---- its errors

    /** Another thread of the client has destroyed the context that a command names. */
    int contextIsGone();

    /** Another thread of the client has destroyed something else that a command names. */
    int handleIsGone();

    /** The device refused. */
    int errorOf(DeviceException refusal);

    /** Nobody waits for the command that failed; whoever waits next in its context is told. */
    void failed(SessionContext context, Envelope envelope, int error);
}
