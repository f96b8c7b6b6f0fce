package facet.host.session;

import facet.abi.FunctionRecordLayout;
import facet.abi.ModuleAnswerLayout;
import facet.abi.ParameterRecordLayout;
import facet.abi.VariableRecordLayout;
import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.Launch;
import facet.device.LoadedModule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told of a module that it loads.
 *
 * <pre>
 *   ModuleAnswer | FunctionRecord[] | ParameterRecord[] | VariableRecord[] | names | log
 * </pre>
 */
final class ModuleAnswer {
    private static final Pattern TARGET = Pattern.compile("\\.target\\s+sm_(\\d{1,4})");

    private ModuleAnswer() {}

    static byte[] of(LoadedModule module, String ptx, int computeCapability) {
        List<KernelInfo> kernels = module.kernels();
        Map<String, LoadedModule.Variable> variables = module.variables();
        int parameters = kernels.stream().mapToInt(each -> each.parameters().size()).sum();
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        int fixed =
                Math.toIntExact(
                        ModuleAnswerLayout.BYTES
                                + (long) kernels.size() * FunctionRecordLayout.BYTES
                                + (long) parameters * ParameterRecordLayout.BYTES
                                + (long) variables.size() * VariableRecordLayout.BYTES);
        ByteBuffer records = ByteBuffer.allocate(fixed).order(ByteOrder.LITTLE_ENDIAN);
        int at = ModuleAnswerLayout.BYTES;
        int firstParameter = 0;
        int ptxVersion = target(ptx, computeCapability);
        for (KernelInfo each : kernels) {
            records.putInt(at + FunctionRecordLayout.NAME_OFFSET, add(names, each.name()));
            records.putInt(at + FunctionRecordLayout.FIRST_PARAMETER_OFFSET, firstParameter);
            records.putInt(
                    at + FunctionRecordLayout.PARAMETER_COUNT_OFFSET, each.parameters().size());
            records.putInt(at + FunctionRecordLayout.PARAMETER_BYTES_OFFSET, each.parameterBytes());
            records.putInt(at + FunctionRecordLayout.SHARED_BYTES_OFFSET, each.staticShared());
            records.putInt(at + FunctionRecordLayout.CONST_BYTES_OFFSET, each.constant());
            records.putInt(at + FunctionRecordLayout.LOCAL_BYTES_OFFSET, each.local());
            records.putInt(at + FunctionRecordLayout.REGISTERS_OFFSET, each.registers());
            records.putInt(at + FunctionRecordLayout.MAX_THREADS_OFFSET, each.maxThreads());
            records.putInt(at + FunctionRecordLayout.PTX_VERSION_OFFSET, ptxVersion);
            records.putInt(at + FunctionRecordLayout.BINARY_VERSION_OFFSET, computeCapability);
            records.putInt(at + FunctionRecordLayout.CLUSTER_OFFSET, packed(each.cluster()));
            firstParameter += each.parameters().size();
            at += FunctionRecordLayout.BYTES;
        }
        for (KernelInfo kernel : kernels) {
            for (Kernel.Parameter each : kernel.parameters()) {
                records.putInt(at + ParameterRecordLayout.OFFSET_OFFSET, each.offset());
                records.putInt(at + ParameterRecordLayout.BYTES_OFFSET, each.bytes());
                at += ParameterRecordLayout.BYTES;
            }
        }
        for (Map.Entry<String, LoadedModule.Variable> each : variables.entrySet()) {
            LoadedModule.Variable variable = each.getValue();
            records.putLong(at + VariableRecordLayout.ADDRESS_OFFSET, variable.address());
            records.putLong(at + VariableRecordLayout.BYTES_OFFSET, variable.bytes());
            records.putInt(at + VariableRecordLayout.NAME_OFFSET, add(names, each.getKey()));
            records.putInt(at + VariableRecordLayout.MANAGED_OFFSET, variable.managed() ? 1 : 0);
            at += VariableRecordLayout.BYTES;
        }
        records.putInt(ModuleAnswerLayout.FUNCTION_COUNT_OFFSET, kernels.size());
        records.putInt(ModuleAnswerLayout.PARAMETER_COUNT_OFFSET, parameters);
        records.putInt(ModuleAnswerLayout.VARIABLE_COUNT_OFFSET, variables.size());
        records.putInt(ModuleAnswerLayout.NAME_BYTES_OFFSET, names.size());
        return join(records.array(), names.toByteArray());
    }

    /** An answer without functions; the log is cut where it does not fit. */
    static byte[] ofLog(String log, long capacity) {
        byte[] text = (log + "\0").getBytes(StandardCharsets.UTF_8);
        long room = capacity - ModuleAnswerLayout.BYTES;
        if (room < 0) {
            return new byte[0];
        }
        byte[] fitting = text;
        if (text.length > room) {
            fitting = java.util.Arrays.copyOf(text, (int) room);
            if (room > 0) {
                fitting[fitting.length - 1] = 0;
            }
        }
        ByteBuffer header =
                ByteBuffer.allocate(ModuleAnswerLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(ModuleAnswerLayout.LOG_BYTES_OFFSET, fitting.length);
        return join(header.array(), fitting);
    }

    /** As FunctionRecord has it; a kernel's cluster has at most 16 blocks. */
    private static int packed(Launch.@Nullable Dim cluster) {
        return cluster == null ? 0 : cluster.x() | cluster.y() << 8 | cluster.z() << 16;
    }

    private static int add(ByteArrayOutputStream names, String name) {
        int offset = names.size();
        names.writeBytes(name.getBytes(StandardCharsets.UTF_8));
        names.write(0);
        return offset;
    }

    private static int target(String ptx, int otherwise) {
        Matcher matcher = TARGET.matcher(ptx);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : otherwise;
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] all = java.util.Arrays.copyOf(first, Math.addExact(first.length, second.length));
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
