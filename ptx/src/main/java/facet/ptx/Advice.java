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
            case WMMA, MMA, LDMATRIX, STMATRIX, MOVMATRIX, WGMMA, TCGEN05 ->
                    "matrix instructions are not supported by this device; compile without tensor"
                            + " cores (for CUTLASS the SIMT kernels, for a library its fallback)";
            case MULTIMEM, TENSORMAP, CLUSTERLAUNCHCONTROL ->
                    "multicast, tensor maps and cluster launch control are not supported by this"
                            + " device; compile for an architecture below sm_90";
            case CP ->
                    "of cp only the non-bulk cp.async forms are supported by this device; compile"
                            + " without bulk and tensor copies, for example for sm_80";
            case BARRIER, FENCE, MAPA, GETCTARANK ->
                    "clusters are not supported by this device; compile for an architecture below"
                            + " sm_90";
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VMAD, VSET ->
                    "scalar video instructions are not supported by this device; write the"
                            + " arithmetic out, or use the packed ones (vabsdiff4)";
            default -> "this form is not supported by this device; compile without it";
        };
    }
}
