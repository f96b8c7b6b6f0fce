package facet.ptx;

/** What to do about an instruction that Facet does not run. */
final class Advice {
    private Advice() {}

    static String of(Opcode opcode) {
        return switch (opcode) {
            case TEX, TLD4, TXQ, ISTYPEP ->
                    "textures with several samples and depth comparison are not supported by this"
                            + " device; use one of .1d .2d .3d .a1d .a2d .cube .acube";
            case SULD, SUST, SURED, SUQ ->
                    "this form of surfaces is not supported by this device; use one of .1d .2d .3d"
                            + " .a1d .a2d";
            case WGMMA, TCGEN05 ->
                    "matrix instructions of several warps are not supported by this device; compile"
                            + " for sm_80, whose mma and wmma are (for CUTLASS its kernels for"
                            + " Ampere)";
            case WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX ->
                    "of matrix instructions this shape, type or kind is not supported by this"
                            + " device; compile for sm_80 or sm_90";
            case MULTIMEM, TENSORMAP, CLUSTERLAUNCHCONTROL ->
                    "multicast, tensor maps and cluster launch control are not supported by this"
                            + " device; compile for an architecture below sm_90";
            case CP ->
                    "of cp the forms of cp.async and cp.async.bulk without tensors are supported by"
                            + " this device; compile without tensor copies, for example for sm_80";
            case BARRIER, FENCE, MAPA, GETCTARANK ->
                    "this form of clusters and of fences is not supported by this device, which has no"
                            + " tensor maps; compile for an architecture below sm_90";
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VMAD, VSET ->
                    "scalar video instructions are not supported by this device; write the"
                            + " arithmetic out, or use the packed ones (vabsdiff4)";
            default -> "this form is not supported by this device; compile without it";
        };
    }
}
