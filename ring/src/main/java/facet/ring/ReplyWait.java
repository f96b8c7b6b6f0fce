package facet.ring;

/** A client waits for the answer at a slot; its state is the flag and the futex. */
record ReplyWait(ReplySlots replies, int slot) implements WaitStrategy.Wait {
    @Override
    public boolean ready() {
        return replies.isDone(slot);
    }

    @Override
    public void asleep(boolean asleep) {
        if (asleep) {
            replies.markSleeping(slot);
        }
    }

    @Override
    public void sleep(long nanos) {
        replies.sleep(slot, nanos);
    }
}
