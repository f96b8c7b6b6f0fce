package facet.host.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A container of the client's own: what {@code cuLinkComplete} was given. */
final class LinkSet {
    private LinkSet() {}

    /**
     * The PTX of every entry. Containers without any for this device are left out: a library may be
     * linked of which nothing is used. What is missed then stays unresolved.
     */
    static List<String> texts(byte[] image, int computeCapability) throws ImageException {
        FatBinary set = FatBinary.parseLinkSet(image);
        List<String> texts = new ArrayList<>();
        for (FatBinaryEntry each : set.entries()) {
            switch (each.kind()) {
                case FatBinaryLayout.KIND_PTX -> texts.add(each.text());
                case FatBinaryLayout.KIND_CONTAINER -> {
                    Optional<FatBinaryEntry> best =
                            FatBinary.parse(each.payload()).bestPtx(computeCapability);
                    if (best.isPresent()) {
                        texts.add(best.get().text());
                    }
                }
                default ->
                        throw ImageException.malformed(
                                "a link set with an entry of kind " + each.kind());
            }
        }
        if (texts.isEmpty()) {
            throw ModuleImage.noPtx(set, computeCapability);
        }
        return texts;
    }
}
