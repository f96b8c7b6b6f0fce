package facet.cli;

import facet.ptx.Limits;
import facet.ptx.PtxException;
import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.Refusal;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Rewrites PTX so that launches can be executed in parts. Needs no daemon. */
@Command(
        name = "rewrite",
        description = {
            "Prints PTX whose launches can be executed in parts, and says on standard error which"
                    + " kernels stay as they are and why.",
            "docs/rewriting.md explains both forms and what a launcher passes."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; kernels that stay whole were told of",
            "1:it is no PTX, has no such kernel, or cannot be read",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet rewrite kernels.ptx > parts.ptx",
            "  facet rewrite kernels.ptx --kernel saxpy --form persistent",
            "  facet rewrite kernels.ptx -o json   # what was rewritten, and what was not",
            "  nvcc -ptx -o - kernels.cu | facet rewrite -"
        })
final class RewriteCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE.ptx", description = "What to rewrite; - is standard input.")
    private Path file = Path.of("-");

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description = "This one alone. Default: all.")
    private @Nullable String kernel;

    @Option(
            names = "--form",
            paramLabel = "FORM",
            description = {
                "ranges: a launch becomes several, each of some of its blocks;",
                "persistent: a few blocks take all of them in turn, until a flag stops them.",
                "Default: ranges."
            })
    private BlockForm form = BlockForm.RANGES;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    /** What was rewritten, for programs. */
    record Result(List<Kernel> kernels, List<Refused> refused, String ptx) {
        record Kernel(String name, String form, int hiddenOffset, int hiddenBytes) {}

        record Refused(String kernel, int line, int column, String cause) {}

        static Result of(Rewritten rewritten) {
            return new Result(
                    rewritten.kernels().stream()
                            .map(each ->
                                    new Kernel(
                                            each.name(),
                                            each.form().text(),
                                            each.offset(),
                                            each.bytes()))
                            .toList(),
                    rewritten.refusals().stream().map(Result::of).toList(),
                    rewritten.text());
        }

        private static Refused of(Refusal refusal) {
            return new Refused(
                    refusal.kernel(),
                    refusal.position().line(),
                    refusal.position().column(),
                    refusal.cause());
        }
    }

    @Override
    public Integer call() {
        Rewritten rewritten = rewrite(read());
        String wanted = kernel;
        if (wanted != null && rewritten.kernels().isEmpty() && rewritten.refusals().isEmpty()) {
            throw new CommandFailure(file + " has no kernel '" + wanted + "'");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output == Output.JSON) {
            out.println(Json.of(Result.of(rewritten)));
        } else {
            out.print(rewritten.text());
            PrintWriter err = spec.commandLine().getErr();
            rewritten.refusals().forEach(each -> err.println("facet: " + Plain.of(each.text())));
            err.flush();
        }
        out.flush();
        return ExitCode.OK;
    }

    private Rewritten rewrite(String text) {
        String wanted = kernel;
        try {
            return Rewrite.rewrite(text, form, name -> wanted == null || wanted.equals(name));
        } catch (PtxException e) {
            throw new CommandFailure(file + ": " + Plain.of(e.getMessage()), e);
        }
    }

    private String read() {
        try (InputStream in = file.equals(Path.of("-")) ? System.in : Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Limits.TEXT + 1);
            if (bytes.length > Limits.TEXT) {
                throw new CommandFailure(file + " has more than " + Limits.TEXT + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new CommandFailure("there is no file " + file, e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
