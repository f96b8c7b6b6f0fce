package facet.bench.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** What a daemon says about itself at {@code /metrics}. */
record Metrics(List<String> lines) {
    static Metrics ask(HttpClient client, String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/metrics")).build();
        String text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        return new Metrics(text.lines().toList());
    }

    /** Of all values of a name with such a label. */
    double sum(String name, String label) {
        double sum = 0;
        for (String line : lines) {
            if (line.startsWith(name + "{") && line.contains(label)) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return sum;
    }
}
