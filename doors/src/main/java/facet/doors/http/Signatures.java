package facet.doors.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Whether two keys are a pair. A wrong pair would be noticed by the first client only. */
final class Signatures {
    private Signatures() {}

    static void check(PrivateKey own, PublicKey shown, HttpOptions.TlsFiles files)
            throws IOException, GeneralSecurityException {
        String algorithm =
                switch (shown.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> shown.getAlgorithm();
                };
        byte[] text = {1, 2, 3, 4};
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(own);
        signing.update(text);
        byte[] signature = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(shown);
        verifying.update(text);
        if (!verifying.verify(signature)) {
            throw new IOException(
                    "--tls-key: "
                            + files.key()
                            + " is not the key of the certificate in "
                            + files.certificate());
        }
    }
}
