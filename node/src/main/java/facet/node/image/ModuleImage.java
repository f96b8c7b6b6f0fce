package facet.node.image;

import facet.node.link.LinkException;
import facet.node.link.Linker;
import java.util.ArrayList;
import java.util.List;

/** What a client asks to load, as one PTX text. */
public final class ModuleImage {
    private ModuleImage() {}

    /**
     * @param computeCapability of the device: 89 for 8.9
     */
    public static String ptx(byte[] image, int computeCapability) throws ImageException {
        if (FatBinary.isOne(image)) {
            FatBinary binary = FatBinary.parse(image);
            return binary.linkSet()
                    ? linked(binary, computeCapability)
                    : best(binary, computeCapability);
        }
        if (isElf(image)) {
            throw new ImageException(
                    ImageException.Kind.NO_CODE_FOR_DEVICE,
                    "a binary for one architecture (cubin); this device runs PTX. Compile with "
                            + flag());
        }
        return PtxText.of(image);
    }

    private static String best(FatBinary binary, int computeCapability) throws ImageException {
        return binary.bestPtx(computeCapability)
                .orElseThrow(() -> noPtx(binary, computeCapability))
                .text();
    }

    private static String linked(FatBinary set, int computeCapability) throws ImageException {
        List<String> texts = new ArrayList<>();
        for (FatBinaryEntry each : set.entries()) {
            if (each.isPtx()) {
                texts.add(each.text());
            } else if (each.kind() == FatBinaryLayout.KIND_CONTAINER) {
                FatBinary part = FatBinary.parse(each.payload());
                if (part.linkSet()) {
                    throw ImageException.malformed("a link set in a link set");
                }
                texts.add(best(part, computeCapability));
            } else {
                throw new ImageException(
                        ImageException.Kind.NO_CODE_FOR_DEVICE,
                        each.label() + " cannot be linked; this device runs PTX");
            }
        }
        if (texts.isEmpty()) {
            throw ImageException.malformed("nothing to link");
        }
        try {
            return Linker.link(texts);
        } catch (LinkException e) {
            throw new ImageException(
                    ImageException.Kind.LINK_FAILED, "linking failed: " + e.getMessage(), e);
        }
    }

    private static boolean isElf(byte[] image) {
        return image.length >= 4
                && image[0] == 0x7F
                && image[1] == 'E'
                && image[2] == 'L'
                && image[3] == 'F';
    }

    private static ImageException noPtx(FatBinary binary, int computeCapability) {
        return new ImageException(
                ImageException.Kind.NO_CODE_FOR_DEVICE,
                "the program has "
                        + binary.contents()
                        + "; this device runs PTX up to compute_"
                        + computeCapability
                        + ". Compile with "
                        + flag());
    }

    private static String flag() {
        return "-gencode arch=compute_75,code=compute_75";
    }
}
