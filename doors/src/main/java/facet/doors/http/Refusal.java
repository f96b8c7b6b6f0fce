package facet.doors.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** A request that is not answered as it was meant; says what to do where that is known. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String hint;

    /**
     * @param hint may be empty
     */
    Refusal(int status, String message, String hint) {
        super(message, null, false, false);
        this.status = status;
        this.hint = hint;
    }

    Refusal(int status, String message) {
        this(status, message, "");
    }

    int status() {
        return status;
    }

    Map<String, Object> body() {
        return body(String.valueOf(getMessage()), hint);
    }

    static Map<String, Object> body(String error, String hint) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", error);
        if (!hint.isEmpty()) {
            body.put("hint", hint);
        }
        return body;
    }
}
