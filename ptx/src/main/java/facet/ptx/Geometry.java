package facet.ptx;

/** How the coordinates of a texture or surface are written (PTX ISA 9.7.10.3, 9.7.11.1). */
public enum Geometry {
    D1(Modifier.D1D, 1, false),
    D2(Modifier.D2D, 2, false),
    D3(Modifier.D3D, 3, false),
    LAYERS_1(Modifier.A1D, 1, true),
    LAYERS_2(Modifier.A2D, 2, true),
    CUBE(Modifier.CUBE, 3, false),
    CUBES(Modifier.ACUBE, 3, true);

    private final Modifier modifier;
    private final int coordinates;
    private final boolean layered;

    Geometry(Modifier modifier, int coordinates, boolean layered) {
        this.modifier = modifier;
        this.coordinates = coordinates;
        this.layered = layered;
    }

    public String text() {
        return modifier.text();
    }

    /** How many coordinates there are besides the layer. */
    public int coordinates() {
        return coordinates;
    }

    /** Whether the number of a layer stands before the coordinates. */
    public boolean isLayered() {
        return layered;
    }

    /**
     * What is written, with the layer. Three of them are written as four, the last says nothing.
     */
    public int written() {
        return coordinates + (layered ? 1 : 0);
    }

    public static Geometry of(Instruction instruction) {
        for (Geometry each : values()) {
            if (instruction.has(each.modifier)) {
                return each;
            }
        }
        throw new IllegalArgumentException(instruction.mnemonic() + " has no geometry");
    }
}
