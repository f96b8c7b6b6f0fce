package facet.jit.runtime;

/** Ends a launch. Carries no stack trace: position and thread are added on the way out. */
public final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a kernel ends before its time. */
    public enum Cause {
        ILLEGAL_ADDRESS,
        MISALIGNED_ADDRESS,
        ASSERT,
        TRAP,
        STACK_OVERFLOW,
        DEADLOCK,
        STOPPED
    }

    private final Cause cause;
    private final int line;
    private int thread = -1;
    private int lane;

    public KernelFault(Cause cause, String message, int line) {
        super(message, null, false, false);
        this.cause = cause;
        this.line = line;
    }

    /** Made where a kernel does something wrong; finds the PTX line of the generated frame. */
    public static KernelFault here(Cause cause, String message) {
        int line =
                StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
                        .walk(frames ->
                                frames.filter(frame -> frame.getClassName().contains("Generated"))
                                        .findFirst()
                                        .map(StackWalker.StackFrame::getLineNumber)
                                        .orElse(0));
        return new KernelFault(cause, message, line);
    }

    public Cause reason() {
        return cause;
    }

    /** Line of the PTX text, 0 when not known. */
    public int line() {
        return line;
    }

    /** Linear number of the thread in its block, -1 when it was no single thread. */
    public int thread() {
        return thread;
    }

    /** Called by generated code on the way out. */
    public KernelFault at(int number) {
        if (thread < 0) {
            thread = number + lane;
        }
        return this;
    }

    /** Vector code knows the thread of its first lane. */
    KernelFault inLane(int number) {
        lane = number;
        return this;
    }
}
