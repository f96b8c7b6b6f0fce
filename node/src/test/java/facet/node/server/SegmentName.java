package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.EventShare;
import facet.abi.Result;
import facet.abi.SegmentOpen;
import facet.ring.Reply;

/** What a session was told, and another one opens. */
record SegmentName(long high, long low) {
    static SegmentName of(Reply reply) {
        assertEquals(Result.SUCCESS, reply.result());
        return new SegmentName(reply.payload()[0], reply.payload()[1]);
    }

    SegmentOpen open(int number, boolean allocation) {
        return new SegmentOpen(high, low, number, allocation ? 1 : 0);
    }

    EventShare openEvent(int number) {
        return new EventShare(high, low, number, 1);
    }
}
