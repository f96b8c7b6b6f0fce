package facet.bench.direct;

import java.util.List;

/**
 * What a program has done of its kernels, by time. A kernel that has not ended counts for as long
 * as it has run: one of 50 ms would else be 5 points of a second at once.
 *
 * @param millis when some kernels had ended, by the system's clock that never goes back
 * @param nanos of kernels that had ended by then
 */
record Did(double[] millis, double[] nanos) {
    static Did read(List<String> lines) {
        double[] millis = new double[lines.size()];
        double[] nanos = new double[lines.size()];
        for (int i = 0; i < millis.length; i++) {
            String[] fields = lines.get(i).split("\t", -1);
            millis[i] = Double.parseDouble(fields[0]);
            nanos[i] = Double.parseDouble(fields[1]);
        }
        return new Did(millis, nanos);
    }

    double first() {
        return millis[0];
    }

    double last() {
        return millis[millis.length - 1];
    }

    /** Nanoseconds between two times. */
    double between(double from, double to) {
        return at(to) - at(from);
    }

    private double at(double time) {
        int i = 1;
        while (i < millis.length - 1 && millis[i] < time) {
            i++;
        }
        double work = nanos[i] - nanos[i - 1];
        double began = Math.max(millis[i - 1], millis[i] - work / 1e6);
        double part = (time - began) / Math.max(1e-6, millis[i] - began);
        return nanos[i - 1] + Math.clamp(part, 0, 1) * work;
    }
}
