package facet.device.cpu;

import facet.device.Arbiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An arbiter whose shares take turns: whoever sits makes room as soon as another one waits. */
final class TakingTurns implements Arbiter {
    static final class Member implements Share {
        private int waiting;
        private int picked;
    }

    private final List<Member> members = new ArrayList<>();
    private final Member unnamed = join();
    private final @Nullable Member[] on;
    private int next;

    TakingTurns(int seats) {
        on = new Member[seats];
    }

    synchronized Member join() {
        Member member = new Member();
        members.add(member);
        return member;
    }

    /** How often something of it got a seat. */
    synchronized int picked(Member member) {
        return member.picked;
    }

    synchronized boolean sits(Member member) {
        return Arrays.asList(on).contains(member);
    }

    @Override
    public Share unnamed() {
        return unnamed;
    }

    @Override
    public synchronized void submit(Share share, int change, long now) {
        ((Member) share).waiting += change;
    }

    @Override
    public Seat seat(int number) {
        return new Place(number);
    }

    private synchronized @Nullable Member next(int seat) {
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get((next + i) % members.size());
            if (member.waiting > 0) {
                next = (next + i + 1) % members.size();
                member.waiting--;
                member.picked++;
                on[seat] = member;
                return member;
            }
        }
        return null;
    }

    private synchronized boolean doOthersWait(int seat) {
        return members.stream().anyMatch(each -> each.waiting > 0 && each != on[seat]);
    }

    private synchronized void left(int seat) {
        on[seat] = null;
    }

    private final class Place implements Seat {
        private final int number;

        Place(int number) {
            this.number = number;
        }

        @Override
        public @Nullable Share mayRun(long now) {
            return next(number);
        }

        @Override
        public long deadline() {
            return Long.MIN_VALUE / 2;
        }

        @Override
        public boolean givesWay(long now) {
            return doOthersWait(number);
        }

        @Override
        public void ended(long now) {
            left(number);
        }

        @Override
        public void ended(long now, long nanos) {
            left(number);
        }

        @Override
        public long nextLook(long now) {
            return 1L << 62;
        }
    }

    @Override
    public void whenChanged(Runnable action) {}
}
