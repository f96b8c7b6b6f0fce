package facet.device.cpu;

import facet.device.DeviceProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Answers to cuDeviceGetAttribute, from {@code device-attributes.table}. */
final class DeviceAttributes {
    /** Bytes, as devices have it. */
    private static final int POLICY_WINDOW = 134_213_632;

    private DeviceAttributes() {}

    static int[] of(DeviceProfile profile, int ordinal, int count) {
        int[] attributes = new int[count];
        try (InputStream table =
                        Objects.requireNonNull(
                                DeviceAttributes.class.getResourceAsStream(
                                        "device-attributes.table"));
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] words = line.split(" +", -1);
                    attributes[Integer.parseInt(words[0])] = value(words[2], profile, ordinal);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return attributes;
    }

    /** Whether programs may say what stays in the cache: accepted, and a hint without effect. */
    private static boolean keepsInL2(DeviceProfile profile) {
        return profile.computeMajor() >= 8;
    }

    private static int value(String word, DeviceProfile profile, int ordinal) {
        return switch (word) {
            case "ordinal" -> ordinal;
            case "warp" -> DeviceProfile.WARP;
            case "maxThreadsPerBlock" -> profile.maxThreadsPerBlock();
            case "sharedPerBlock" -> profile.sharedPerBlock();
            case "sharedPerBlockOptin" -> profile.sharedPerBlockOptin();
            case "sharedPerMultiprocessor" -> profile.sharedPerMultiprocessor();
            case "constantMemory" -> profile.constantMemory();
            case "registersPerBlock" -> profile.registersPerBlock();
            case "registersPerMultiprocessor" -> profile.registersPerMultiprocessor();
            case "clockKilohertz" -> profile.clockKilohertz();
            case "memoryKilohertz" -> profile.memoryKilohertz();
            case "busBits" -> profile.busBits();
            case "l2" -> profile.l2();
            case "persistingL2" -> keepsInL2(profile) ? profile.l2() / 4 * 3 : 0;
            case "policyWindow" -> keepsInL2(profile) ? POLICY_WINDOW : 0;
            case "multiprocessors" -> profile.multiprocessors();
            case "maxThreadsPerMultiprocessor" -> profile.maxThreadsPerMultiprocessor();
            case "maxBlocksPerMultiprocessor" -> profile.maxBlocksPerMultiprocessor();
            case "clusters" -> profile.computeMajor() >= 9 ? 1 : 0;
            case "computeMajor" -> profile.computeMajor();
            case "computeMinor" -> profile.computeMinor();
            default -> Integer.parseInt(word);
        };
    }
}
