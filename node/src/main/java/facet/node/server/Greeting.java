package facet.node.server;

import facet.abi.Constants;
import facet.abi.CudaWire;
import facet.abi.HelloLayout;
import facet.abi.Read;
import facet.abi.WelcomeLayout;
import facet.log.Log;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The first message of a client, and the answer to it. */
final class Greeting {
    private Greeting() {}

    /**
     * What a client says about itself; believed by nobody but people.
     *
     * @param commands the highest number of a command that it knows
     * @param digest of the commands up to that one
     * @param direct whether the vendor's driver works in it
     */
    record Hello(
            boolean isOurs,
            int protocol,
            int commands,
            long digest,
            int pid,
            String name,
            boolean direct) {

        /**
         * Why it cannot work with the devices of its slice; empty when it can.
         *
         * @param mapped whether programs can map the memory of all of them
         */
        Optional<String> cannotRead(boolean mapped) {
            return mapped || commands >= Read.TYPE
                    ? Optional.empty()
                    : Optional.of(
                            "memory of this slice's devices cannot be mapped, which this program's"
                                    + " libraries do not know of");
        }

        /** Why it and this daemon cannot work together; empty when they can. */
        Optional<String> difference() {
            if (protocol != Constants.PROTOCOL) {
                return Optional.of(
                        "the daemon speaks protocol "
                                + Constants.PROTOCOL
                                + ", this program's libraries "
                                + protocol);
            }
            // One that knows more compares with what it is answered.
            boolean known = commands >= 0 && commands <= CudaWire.COMMANDS;
            return known && CudaWire.digest(commands) != digest
                    ? Optional.of(
                            "the daemon and this program's libraries say protocol "
                                    + protocol
                                    + " and mean different commands by it")
                    : Optional.empty();
        }
    }

    /** Those of other protocols may be shorter, or longer. */
    private static final int LEAST_BYTES = HelloLayout.NAME_OFFSET + HelloLayout.NAME_COUNT;

    static Hello read(byte[] message) {
        if (message.length < LEAST_BYTES) {
            return new Hello(false, 0, 0, 0, 0, "", false);
        }
        ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        int end = HelloLayout.NAME_OFFSET;
        while (end < HelloLayout.NAME_OFFSET + HelloLayout.NAME_COUNT && message[end] != 0) {
            end++;
        }
        // People see it in their terminals.
        String name =
                Log.clean(
                        new String(
                                message,
                                HelloLayout.NAME_OFFSET,
                                end - HelloLayout.NAME_OFFSET,
                                StandardCharsets.UTF_8));
        return new Hello(
                bytes.getInt(HelloLayout.MAGIC_OFFSET) == Constants.MAGIC,
                bytes.getInt(HelloLayout.PROTOCOL_OFFSET),
                bytes.getInt(HelloLayout.COMMANDS_OFFSET),
                message.length < HelloLayout.DIGEST_OFFSET + Long.BYTES
                        ? 0
                        : bytes.getLong(HelloLayout.DIGEST_OFFSET),
                bytes.getInt(HelloLayout.PID_OFFSET),
                name,
                message.length >= HelloLayout.BYTES
                        && bytes.getInt(HelloLayout.ENGINE_OFFSET) == Constants.ENGINE_DIRECT);
    }

    static byte[] welcome(int session, int ledgerSlot) {
        return answer(0, session, ledgerSlot, "");
    }

    /**
     * @param status a CUresult
     * @param message what to do
     */
    static byte[] refusal(int status, String message) {
        return answer(status, 0, 0, message);
    }

    private static byte[] answer(int status, int session, int ledgerSlot, String message) {
        ByteBuffer bytes = ByteBuffer.allocate(WelcomeLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(WelcomeLayout.MAGIC_OFFSET, Constants.MAGIC);
        bytes.putInt(WelcomeLayout.PROTOCOL_OFFSET, Constants.PROTOCOL);
        bytes.putInt(WelcomeLayout.STATUS_OFFSET, status);
        bytes.putInt(WelcomeLayout.SESSION_OFFSET, session);
        bytes.putInt(WelcomeLayout.LEDGER_SLOT_OFFSET, ledgerSlot);
        bytes.putInt(WelcomeLayout.COMMANDS_OFFSET, CudaWire.COMMANDS);
        bytes.putLong(WelcomeLayout.DIGEST_OFFSET, CudaWire.digest(CudaWire.COMMANDS));
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        bytes.put(
                WelcomeLayout.MESSAGE_OFFSET,
                text,
                0,
                Math.min(text.length, WelcomeLayout.MESSAGE_COUNT - 1));
        return bytes.array();
    }
}
