package facet.doors.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Who may come in. Reading at a loopback address is for everybody on this machine, as the list of
 * processes is; whatever changes something needs the token, since every user of the machine reaches
 * loopback. At any other address everything needs the token but the dashboard's files, which ask
 * for it.
 */
final class Gate implements Filter {
    private static final String SCHEME = "bearer ";

    private final boolean loopback;
    private final Token token;
    private final String whereToken;
    private final Failures failures;
    private final Predicate<String> free;
    private final Budget budget;

    /**
     * @param whereToken tells local users which file holds the token
     * @param free paths that everybody may read
     * @param budget of all who come without the token
     */
    Gate(
            boolean loopback,
            Token token,
            String whereToken,
            Failures failures,
            Predicate<String> free,
            Budget budget) {
        this.loopback = loopback;
        this.token = token;
        this.whereToken = whereToken;
        this.failures = failures;
        this.free = free;
        this.budget = budget;
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        response.header("Cache-Control", "no-store");
        response.header("X-Content-Type-Options", "nosniff");
        if (loopback && !Hosts.isLoopback(request.authority())) {
            failures.add(request.remotePeer().host(), "a Host header that is not this machine");
            throw new Refusal(
                    403,
                    "the Host header does not name this machine",
                    "use 127.0.0.1, [::1] or localhost in the address");
        }
        Method method = request.prologue().method();
        boolean reads = method.equals(Method.GET) || method.equals(Method.HEAD);
        List<String> given = request.headers().values(HeaderNames.AUTHORIZATION);
        boolean known = !given.isEmpty() && isRight(given);
        if (!known) {
            budget.enter();
        }
        // One that is given must be right, even where none is needed: it says what its sender
        // means.
        boolean open = reads && (loopback || free.test(request.path().rawPath()));
        if (given.isEmpty() ? !open : !known) {
            failures.add(
                    request.remotePeer().host(), given.isEmpty() ? "no token" : "a wrong token");
            response.header("WWW-Authenticate", "Bearer");
            throw new Refusal(
                    401,
                    given.isEmpty() ? "this needs a token" : "the token is wrong",
                    "send the header 'Authorization: Bearer TOKEN'"
                            + (loopback ? "; the token is in " + whereToken : ""));
        }
        chain.proceed();
    }

    private boolean isRight(List<String> given) {
        String value = given.getFirst();
        return given.size() == 1
                && value.length() > SCHEME.length()
                && value.substring(0, SCHEME.length()).toLowerCase(Locale.ROOT).equals(SCHEME)
                && token.matches(value.substring(SCHEME.length()).strip());
    }
}
