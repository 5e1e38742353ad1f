package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Clients;
import dev.weir.http.KeyDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads a list of clients: networks, and keys by their digests. */
final class ClientsReader {

  static final String EXPECTED =
      "a network such as 192.0.2.0/24, or keys such as { key: header:X-API-Key, file: keys.sha256"
          + " }, or a list of these";

  private static final String SHA256 = "sha256";
  private static final String FILE = "file";
  private static final List<String> KEYS = List.of("key", SHA256, FILE);
  private static final String DIGESTS =
      "the SHA-256 of a key as 64 hexadecimal digits, or a list of these";

  private final KeyFileReader files;

  ClientsReader(KeyFileReader files) {
    this.files = files;
  }

  /** Returns the clients in the list, or no clients if there is no list. */
  Clients read(Optional<Value> list) {
    Clients clients = Clients.NONE;
    for (Value item : list.map(this::items).orElse(List.of())) {
      Optional<Clients> some = item.isMapping() ? keys(item) : network(item);
      clients = some.map(clients::and).orElse(clients);
    }
    return clients;
  }

  private List<Value> items(Value list) {
    return list.isMapping() ? List.of(list) : list.items(EXPECTED);
  }

  /**
   * Reads a network. An invalid value is not shown, because it may be a key instead of its digest.
   */
  private static Optional<Clients> network(Value item) {
    return item.shownAs(ClientsReader::unlessKey)
        .parsed(EXPECTED, network -> Clients.in(List.of(network)));
  }

  private static String unlessKey(String found) {
    return found.chars().allMatch(c -> "'0123456789abcdefABCDEF:./".indexOf(c) >= 0)
            && (found.contains(".") || found.contains(":"))
        ? found
        : "a value that is not shown";
  }

  private Optional<Clients> keys(Value item) {
    return item.section(EXPECTED, KEYS).flatMap(this::keys);
  }

  private Optional<Clients> keys(Section map) {
    Set<KeyDigest> digests = new HashSet<>();
    map.value(SHA256).ifPresent(value -> digests.addAll(digests(value)));
    map.value(FILE).ifPresent(value -> digests.addAll(files.digests(value)));
    if (map.value(SHA256).isEmpty() && map.value(FILE).isEmpty()) {
      map.problem(SHA256, DIGESTS + ", or else a file of them");
    }
    return map.required("key", "the place of the key, such as header:X-API-Key")
        .flatMap(
            place ->
                place.parsed(
                    "header:NAME, query:NAME or cookie:NAME",
                    text -> Clients.knowing(text, digests)));
  }

  private static Set<KeyDigest> digests(Value value) {
    Set<KeyDigest> digests = new HashSet<>();
    for (Value item : value.shownAs(hidden -> "something else").items(DIGESTS)) {
      item.parsed(DIGESTS, KeyDigest::new).ifPresent(digests::add);
    }
    return digests;
  }
}
