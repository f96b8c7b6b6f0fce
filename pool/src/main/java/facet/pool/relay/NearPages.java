package facet.pool.relay;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What the contexts of a session take of this machine. */
final class NearPages implements ImagePages {
    private final NearContexts contexts;
    private final BooleanSupplier drained;
    private final Consumer<String> expel;

    NearPages(NearContexts contexts, BooleanSupplier drained, Consumer<String> expel) {
        this.contexts = contexts;
        this.drained = drained;
        this.expel = expel;
    }

    @Override
    public long resident() {
        return contexts.sum(NearContext::resident);
    }

    @Override
    public long counted() {
        return contexts.sum(each -> each.book().counted());
    }

    @Override
    public long host() {
        return contexts.sum(each -> Math.addExact(each.book().staging(), each.book().pinned()));
    }

    @Override
    public long pages() {
        return contexts.sum(each -> each.book().pages());
    }

    @Override
    public long returning() {
        return contexts.sum(NearContext::returning);
    }

    @Override
    public boolean isDrained() {
        return drained.getAsBoolean();
    }

    @Override
    public void expel(String why) {
        expel.accept(why);
    }
}
