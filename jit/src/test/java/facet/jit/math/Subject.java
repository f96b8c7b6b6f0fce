package facet.jit.math;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A method found by the name that the code generator composes, called on bit patterns: so the tests
 * hold the naming rules as well.
 */
record Subject(Method method) {
    static Subject of(Class<?> owner, String name) {
        Method[] found =
                Arrays.stream(owner.getMethods())
                        .filter(method -> method.getName().equals(name))
                        .toArray(Method[]::new);
        if (found.length != 1) {
            throw new AssertionError(
                    found.length + " methods " + owner.getSimpleName() + "." + name);
        }
        return new Subject(found[0]);
    }

    int arity() {
        return method.getParameterCount();
    }

    /** Operands beyond the arity are ignored; the result is what the JVM would hold, as bits. */
    long call(long... operands) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], operands[i]);
        }
        try {
            return bits(method.invoke(null, arguments));
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError(this + Arrays.toString(operands), e);
        }
    }

    private static Object argument(Class<?> type, long bits) {
        if (type == int.class) {
            return (int) bits;
        }
        if (type == float.class) {
            return Float.intBitsToFloat((int) bits);
        }
        if (type == double.class) {
            return Double.longBitsToDouble(bits);
        }
        return bits;
    }

    private static long bits(Object value) {
        return switch (value) {
            case Integer i -> i & 0xffff_ffffL;
            case Float f -> Float.floatToRawIntBits(f) & 0xffff_ffffL;
            case Double d -> Double.doubleToRawLongBits(d);
            case Boolean b -> b ? 1 : 0;
            case Long l -> l;
            default -> throw new AssertionError(value.getClass());
        };
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
