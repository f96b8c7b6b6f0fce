package facet.abi;

import java.lang.foreign.MemorySegment;

/** Knows the commands of a vocabulary and who acts on them; generated for each vocabulary. */
public interface Dispatcher {
    /** The number of the vocabulary. */
    int vocabulary();

    /**
     * Calls the handler of a command.
     *
     * @param record the whole record and nothing else; a copy that no client can change any more
     */
    void dispatch(MemorySegment record) throws MalformedCommand;

    /**
     * Whether both sides count the command: the client when it is sent, the host when it has ended.
     */
    boolean retires(int type);
}
