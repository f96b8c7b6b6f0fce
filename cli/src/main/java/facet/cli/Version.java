package facet.cli;

import picocli.CommandLine.IVersionProvider;

/** Which Facet this is: the package writes it into the jar. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    static String text() {
        String packaged = Version.class.getPackage().getImplementationVersion();
        return "facet " + (packaged == null ? "0.1.0, from its sources" : packaged);
    }
}
