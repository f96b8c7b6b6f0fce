package facet.host.image;

import java.util.List;

/** What a client asks to load, as PTX. */
public final class ModuleImage {
    private ModuleImage() {}

    /**
     * The texts that are to be linked with each other; mostly there is one.
     *
     * @param computeCapability of the device: 89 for 8.9
     */
    public static List<String> texts(byte[] image, int computeCapability) throws ImageException {
        List<String> texts =
                FatBinary.isLinkSet(image)
                        ? LinkSet.texts(image, computeCapability)
                        : List.of(ptx(image, computeCapability));
        PtxTarget.check(texts, computeCapability);
        return texts;
    }

    /**
     * @param computeCapability of the device: 89 for 8.9
     */
    public static String ptx(byte[] image, int computeCapability) throws ImageException {
        if (FatBinary.isOne(image)) {
            FatBinary binary = FatBinary.parse(image);
            return binary.bestPtx(computeCapability)
                    .orElseThrow(() -> noPtx(binary, computeCapability))
                    .text();
        }
        if (isElf(image)) {
            throw new ImageException(
                    ImageException.Kind.NO_CODE_FOR_DEVICE,
                    "a binary for one architecture (cubin); this device runs PTX. Compile with "
                            + flag());
        }
        return PtxText.of(image);
    }

    private static boolean isElf(byte[] image) {
        return image.length >= 4
                && image[0] == 0x7F
                && image[1] == 'E'
                && image[2] == 'L'
                && image[3] == 'F';
    }

    static ImageException noPtx(FatBinary binary, int computeCapability) {
        return new ImageException(
                ImageException.Kind.NO_CODE_FOR_DEVICE,
                "the program has "
                        + binary.contents()
                        + "; this device runs PTX up to compute_"
                        + computeCapability
                        + binary.oldestPtx()
                                .map(ModuleImage::newerDevice)
                                .orElse(". Compile with " + flag()));
    }

    /** There is PTX, but it is for newer devices. */
    private static String newerDevice(FatBinaryEntry entry) {
        return ". A device of compute capability "
                + entry.sm() / 10
                + "."
                + entry.sm() % 10
                + " or newer runs it: 'facet up --profile', or compile with "
                + flag();
    }

    private static String flag() {
        return "-gencode arch=compute_75,code=compute_75";
    }
}
