package facet.kube.ledger;

import java.io.IOException;
import java.util.Optional;

/** Where books are. */
public interface BookStore {
    /** As it is now; an empty one where there is none. */
    Book read(String node) throws IOException;

    /**
     * Writes it if it is still of the version that it says.
     *
     * @return with its new version; nothing when somebody wrote it meanwhile
     * @throws IOException when nobody knows what became of it
     */
    Optional<Book> write(Book book) throws IOException;
}
