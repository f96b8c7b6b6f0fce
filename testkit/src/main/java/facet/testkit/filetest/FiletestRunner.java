package facet.testkit.filetest;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.testkit.filetest.Filetest.ErrorExpectation;
import facet.testkit.filetest.Filetest.Step;
import facet.testkit.filetest.Outcome.Edit;
import facet.testkit.filetest.Outcome.Mismatch;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs files on a device and compares. */
public final class FiletestRunner {
    private static final Pattern POSITION = Pattern.compile("line (\\d+), column (\\d+): ");

    private final Device device;

    public FiletestRunner(Device device) {
        this.device = device;
    }

    /** Whether the header says that the file is known to fail. */
    public static boolean isKnownToFail(String text) {
        return !PrintTest.is(text) && FiletestParser.parse(text).fails().isPresent();
    }

    /** Throws {@link IllegalArgumentException} when the header cannot be read. */
    public Outcome run(String text) {
        if (PrintTest.is(text)) {
            return PrintTest.run(text);
        }
        Filetest test = FiletestParser.parse(text);
        List<Mismatch> mismatches = new ArrayList<>();
        List<Edit> edits = new ArrayList<>();
        if (test.refused().isPresent()) {
            refuse(test, test.refused().get(), mismatches, edits);
        } else {
            steps(test, mismatches, edits);
        }
        return new Outcome(List.copyOf(mismatches), List.copyOf(edits));
    }

    private void refuse(
            Filetest test, ErrorExpectation error, List<Mismatch> mismatches, List<Edit> edits) {
        ContextOptions options =
                ContextOptions.of("filetest", Session.MEMORY).withFaults(line -> {});
        try (Context context = device.createContext(options)) {
            context.load(test.ptx());
            mismatches.add(new Mismatch(error.line(), "a refusal", "a module that loads"));
        } catch (DeviceException e) {
            compare(error, e, mismatches, edits);
        }
    }

    private void steps(Filetest test, List<Mismatch> mismatches, List<Edit> edits) {
        Session session = null;
        try {
            for (Step step : test.steps()) {
                if (session == null) {
                    session = new Session(device, test.ptx());
                }
                boolean goesOn = step(session, step, mismatches, edits);
                if (!goesOn) {
                    // A fault ends a context: what follows starts anew, with memory of its own.
                    session.close();
                    session = null;
                    if (step.error().isEmpty()) {
                        return;
                    }
                }
            }
        } catch (DeviceException e) {
            mismatches.add(new Mismatch(1, "a module that loads", String.valueOf(e.getMessage())));
        } finally {
            if (session != null) {
                session.close();
            }
        }
    }

    private static boolean step(
            Session session, Step step, List<Mismatch> mismatches, List<Edit> edits) {
        try {
            session.launch(step);
        } catch (DeviceException e) {
            if (step.error().isPresent()) {
                compare(step.error().get(), e, mismatches, edits);
            } else {
                mismatches.add(
                        new Mismatch(step.line(), "no error", String.valueOf(e.getMessage())));
            }
            Comparison.prints(step, session.printed(), mismatches, edits);
            return !e.error().isSticky();
        }
        if (step.error().isPresent()) {
            mismatches.add(new Mismatch(step.error().get().line(), "an error", "none"));
        }
        for (Filetest.Expectation each : step.expectations()) {
            Comparison.values(each, session.type(each), session.read(each), mismatches, edits);
        }
        Comparison.prints(step, session.printed(), mismatches, edits);
        return true;
    }

    private static void compare(
            ErrorExpectation error,
            DeviceException thrown,
            List<Mismatch> mismatches,
            List<Edit> edits) {
        String message = String.valueOf(thrown.getMessage());
        Matcher matcher = POSITION.matcher(message);
        String position = matcher.find() ? matcher.group(1) + ":" + matcher.group(2) : "";
        int code = thrown.error().code();
        if ((error.code() == 0 || error.code() == code)
                && (error.position().isEmpty() || error.position().equals(position))
                && message.contains(error.part())) {
            return;
        }
        String start = (code + " " + position).strip();
        String got = message.substring(message.lastIndexOf("): ") + 3);
        if (!position.isEmpty()) {
            got = message.substring(matcher.end());
        }
        String part = message.contains(error.part()) ? error.part() : got;
        String wanted = (error.code() + " " + error.position()).strip() + " " + error.part();
        mismatches.add(new Mismatch(error.line(), wanted, start + " " + got));
        edits.add(
                new Edit(
                        error.line(),
                        1,
                        List.of(("// expect-error: " + start + " " + part).stripTrailing())));
    }
}
