package facet.device.cpu.parts;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object of a port that does some calls itself and hands all others to another one. */
final class Intercept {
    private Intercept() {}

    /**
     * @param own by name of the method: takes the arguments, gives the result
     */
    static <T> T of(
            Class<T> port,
            T near,
            Map<String, Function<@Nullable Object[], @Nullable Object>> own) {
        Object made =
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (proxy, method, arguments) -> {
                            Function<@Nullable Object[], @Nullable Object> mine =
                                    own.get(method.getName());
                            if (mine != null) {
                                return mine.apply(arguments);
                            }
                            try {
                                return method.invoke(near, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getTargetException();
                            }
                        });
        return port.cast(made);
    }
}
