package facet.abi.generate;

import java.io.IOException;
import java.util.List;

/** What libnvidia-ml.so.1 is made of, besides what is written by hand. */
final class Nvml {
    private Nvml() {}

    static void write(ApiTable table, TypeTable types, Output c) throws IOException {
        Api api =
                new Api(
                        "nvml",
                        table,
                        List.of("#include <stdbool.h>", "#include <stddef.h>"),
                        "nvmlReturn_t",
                        "facet_nvml_unsupported",
                        "facet_nvml_denied",
                        "NVML_ERROR_INVALID_ARGUMENT");
        Text header = api.header();
        TypesHeader.write(header, types);
        api.handWritten(header);
        ErrorNames.declare(header, "nvml", "nvmlReturn_t");
        c.write("facet_nvml.h", header.line().line("#endif").toString());
        c.write("facet_nvml_stubs.c", api.stubs(table.calls()));
        c.write("facet_nvml_errors.c", ErrorNames.text("nvml", types, "nvmlReturn_t"));
        c.write("libnvidia-ml.map", Api.exports("", table.calls(), table.exports()));
    }
}
