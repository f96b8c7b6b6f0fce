package facet.device;

/**
 * What a device can do beyond running kernels; sharing and migration choose their means by it.
 *
 * @param pauseInsideKernel a running kernel can be halted and continued
 * @param blockRanges a launch can be executed a range of blocks at a time
 * @param sharedWithClient device memory can be mapped by the client process
 */
public record Capabilities(
        boolean pauseInsideKernel, boolean blockRanges, boolean sharedWithClient) {}
