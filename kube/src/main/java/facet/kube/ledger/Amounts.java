package facet.kube.ledger;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Quantities as Kubernetes writes them, in the units of {@code place}. */
final class Amounts {
    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1L << 20);

    private Amounts() {}

    /** Of processors. */
    static int thousandths(@Nullable Quantity quantity) {
        return within(amount(quantity).movePointRight(3).setScale(0, RoundingMode.UP));
    }

    static int mebibytes(@Nullable Quantity quantity) {
        return within(amount(quantity).divide(MEBIBYTE, 0, RoundingMode.UP));
    }

    static int whole(@Nullable Quantity quantity) {
        return within(amount(quantity));
    }

    private static BigDecimal amount(@Nullable Quantity quantity) {
        if (quantity == null) {
            return BigDecimal.ZERO;
        }
        try {
            return quantity.getNumericalAmount();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("'" + quantity + "' is no quantity", e);
        }
    }

    /** More than there can be is as much as there can be: it fits nowhere. */
    private static int within(BigDecimal value) {
        return value.max(BigDecimal.ZERO).min(BigDecimal.valueOf(Integer.MAX_VALUE / 2)).intValue();
    }
}
