package facet.jit;

import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.KernelCode;
import facet.jit.runtime.KernelFault;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A kernel's vector code for rows of one length: made when it is worth it, on another thread. */
public final class RowCode {
    private final String name;
    private final Emitted scalar;
    private final int lanes;
    private final IntFunction<Optional<Emitted>> compile;
    private final AtomicBoolean making = new AtomicBoolean();
    private final Choice choice = new Choice();
    private volatile Optional<Emitted> rows = Optional.empty();
    private volatile @Nullable KernelCode besideRows;

    /**
     * @param lanes threads of a row
     * @param compile makes code for rows of so many threads
     */
    RowCode(String name, Emitted scalar, int lanes, IntFunction<Optional<Emitted>> compile) {
        this.name = name;
        this.scalar = scalar;
        this.lanes = lanes;
        this.compile = compile;
    }

    boolean isAskedFor() {
        return making.get();
    }

    void makeLater(Executor later) {
        if (!making.get() && making.compareAndSet(false, true)) {
            later.execute(this::make);
        }
    }

    /** Makes it here, and has it used at once. */
    void makeNow() {
        if (making.compareAndSet(false, true)) {
            make();
            choice.settle(Choice.Mode.ROWS);
        }
    }

    private void make() {
        try {
            Optional<Emitted> made = compile.apply(lanes);
            // Before the rows are there for others to see.
            besideRows =
                    made.filter(each -> each.hasRegionsOf(scalar)).isPresent()
                            ? scalar.code()
                            : null;
            rows = made;
        } catch (KernelFault stopped) {
            // Whoever it was made for is gone; another one's launches ask for it again.
            making.set(false);
        } catch (RuntimeException | LinkageError e) {
            // Scalar code does the same, only slower; a defect here must not end a launch.
            System.getLogger(RowCode.class.getName())
                    .log(System.Logger.Level.WARNING, "no vector code for kernel " + name, e);
        }
    }

    /** Empty until it is made, or when it would not be worth it. */
    public Optional<Emitted> code() {
        return rows;
    }

    /**
     * What may do the other rows of a block in which vector code does one; null: its own scalar
     * code, which nobody has run yet.
     */
    public @Nullable KernelCode besideRows() {
        return besideRows;
    }

    public Choice choice() {
        return choice;
    }
}
