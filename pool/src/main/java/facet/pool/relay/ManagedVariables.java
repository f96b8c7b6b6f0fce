package facet.pool.relay;

import facet.abi.FunctionRecordLayout;
import facet.abi.ModuleAnswerLayout;
import facet.abi.ParameterRecordLayout;
import facet.abi.VariableRecordLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Variables of a module that program and kernels access by plain pointers, in its answer. */
final class ManagedVariables {
    private ManagedVariables() {}

    record Range(long address, long bytes) {}

    /**
     * @param answer as the host wrote it; what does not fit in it is left out
     */
    static List<Range> in(MemorySegment answer) {
        List<Range> all = new ArrayList<>();
        if (answer.byteSize() < ModuleAnswerLayout.BYTES) {
            return all;
        }
        long functions = count(answer, ModuleAnswerLayout.FUNCTION_COUNT_OFFSET);
        long parameters = count(answer, ModuleAnswerLayout.PARAMETER_COUNT_OFFSET);
        long variables = count(answer, ModuleAnswerLayout.VARIABLE_COUNT_OFFSET);
        long at = // counts of 32 bits
                ModuleAnswerLayout.BYTES
                        + functions * FunctionRecordLayout.BYTES
                        + parameters * ParameterRecordLayout.BYTES;
        for (long i = 0;
                i < variables && at <= answer.byteSize() - VariableRecordLayout.BYTES;
                i++, at += VariableRecordLayout.BYTES) {
            if (answer.get(ValueLayout.JAVA_INT_UNALIGNED, at + VariableRecordLayout.MANAGED_OFFSET)
                    != 0) {
                all.add(
                        new Range(
                                answer.get(
                                        ValueLayout.JAVA_LONG_UNALIGNED,
                                        at + VariableRecordLayout.ADDRESS_OFFSET),
                                answer.get(
                                        ValueLayout.JAVA_LONG_UNALIGNED,
                                        at + VariableRecordLayout.BYTES_OFFSET)));
            }
        }
        return all;
    }

    private static long count(MemorySegment answer, int offset) {
        return Integer.toUnsignedLong(answer.get(ValueLayout.JAVA_INT_UNALIGNED, offset));
    }
}
