package facet.abi;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** A dispatcher whose handlers all tell the same listener. */
final class HandlersOfAll {
    private HandlersOfAll() {}

    static CudaDispatcher dispatcher(BiConsumer<Envelope, Command> listener) {
        Constructor<?> constructor = CudaDispatcher.class.getConstructors()[0];
        Class<?>[] groups = constructor.getParameterTypes();
        Object handlers =
                Proxy.newProxyInstance(
                        CudaDispatcher.class.getClassLoader(),
                        groups,
                        (proxy, method, arguments) -> {
                            listener.accept((Envelope) arguments[0], (Command) arguments[1]);
                            return null;
                        });
        Object[] all = new Object[groups.length];
        Arrays.fill(all, handlers);
        try {
            return (CudaDispatcher) constructor.newInstance(all);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
