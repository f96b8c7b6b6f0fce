package facet.certificates;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** As much of DER (ITU-T X.690) as a certificate takes. */
final class Der {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0xa0;
    private static final int IMPLICIT = 0x80;

    private Der() {}

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    /** A whole number of bytes. */
    static byte[] bits(byte[] content) {
        return tagged(BIT_STRING, new byte[] {0}, content);
    }

    /**
     * @param encoded the identifier as it is written in DER
     */
    static byte[] identifier(byte... encoded) {
        return tagged(OBJECT_IDENTIFIER, encoded);
    }

    static byte[] yes() {
        return tagged(BOOLEAN, new byte[] {(byte) 0xff});
    }

    static byte[] octets(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    /** {@code [number] IMPLICIT}, of something that has no parts. */
    static byte[] implicit(int number, byte[] content) {
        return tagged(IMPLICIT | number, content);
    }

    static byte[] text(String value) {
        return tagged(UTF8_STRING, value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param value {@code yyMMddHHmmssZ}
     */
    static byte[] utcTime(String value) {
        return tagged(UTC_TIME, value.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * @param value {@code yyyyMMddHHmmssZ}
     */
    static byte[] generalizedTime(String value) {
        return tagged(GENERALIZED_TIME, value.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    /** {@code [number] EXPLICIT}. */
    static byte[] explicit(int number, byte[] content) {
        return tagged(CONTEXT | number, content);
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] each : parts) {
            length = Math.addExact(length, each.length);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int first = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | digits.length - first);
            out.write(digits, first, digits.length - first);
        }
        for (byte[] each : parts) {
            out.writeBytes(each);
        }
        return out.toByteArray();
    }
}
