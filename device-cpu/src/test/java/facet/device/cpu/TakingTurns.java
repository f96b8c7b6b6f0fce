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
    public synchronized void waiting(Share share, int change, long now) {
        ((Member) share).waiting += change;
    }

    @Override
    public synchronized @Nullable Share pick(int seat, long now) {
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

    @Override
    public long deadline(int seat) {
        return Long.MIN_VALUE / 2;
    }

    @Override
    public synchronized boolean givesWay(int seat, long now) {
        return members.stream().anyMatch(each -> each.waiting > 0 && each != on[seat]);
    }

    @Override
    public synchronized void release(int seat, long now) {
        on[seat] = null;
    }

    @Override
    public long nextPick(long now) {
        return 1L << 62;
    }

    @Override
    public void whenChanged(Runnable action) {}
}
