package facet.ptx.rewrite;

import java.util.List;
import java.util.Optional;

/**
 * A text whose launches can be executed in parts.
 *
 * @param text what is to be loaded; the text that was given when nothing was rewritten
 * @param kernels that were rewritten, in the order of the text
 * @param refusals for all others that were asked for
 */
public record Rewritten(String text, List<Kernel> kernels, List<Refusal> refusals) {

    /**
     * A rewritten kernel. It has one parameter more, the last: a structure that {@link
     * HiddenArguments} fills in. All other parameters are where they were.
     *
     * @param offset of the hidden parameter in the parameter buffer
     * @param bytes of the hidden parameter
     */
    public record Kernel(String name, BlockForm form, int offset, int bytes) {}

    public Optional<Kernel> kernel(String name) {
        return kernels.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
