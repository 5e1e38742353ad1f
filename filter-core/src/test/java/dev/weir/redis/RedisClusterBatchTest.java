package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.SideBySide;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slots that move while decisions over them and over others are in one batch. */
@SideBySide
class RedisClusterBatchTest extends ClusterUnderTest {

  private final Subject moving = subjectOn(0);
  private final Subject staying = subjectOn(0);

  /** Connects so that no batch overtakes another while calls gather: they are sent in one. */
  @BeforeEach
  void connect() {
    connectPatiently();
    Awaitility.await().until(() -> decides(limit(9, staying)));
  }

  @Test
  void of_a_slot_that_is_half_on_its_way_each_is_decided_once_where_its_key_is() {
    for (int i = 0; i < 3; i++) {
      decide(store, limit(i, moving)); // so its key is at the source, and the others' are not
    }
    beginMove(moving);
    List<AcquireRequest> requests = new ArrayList<>(List.of(request(limit(0, staying))));
    for (int i = 0; i < 6; i++) {
      requests.add(request(limit(i, moving)));
      requests.add(request(limit(i, moving)));
      requests.add(request(limit(i, staying)));
    }
    AcquireRequest split = request(limit(0, moving), limit(5, moving)); // is decided key by key
    requests.add(split);
    List<CompletableFuture<Decision.Counted>> answers =
        Gathering.at(cluster.get(0), store, requests);

    assertThat(answers).allMatch(answer -> answer.join().allowed());
    for (int i = 0; i < 6; i++) {
      int charged = (i < 3 ? 3 : 2) + (i == 0 || i == 5 ? 1 : 0);
      assertThat(decide(store, limit(i, moving)).binding().remaining()).isEqualTo(9 - charged);
      assertThat(decide(store, limit(i, staying)).binding().remaining()).isEqualTo(i == 0 ? 7 : 8);
    }
    assertThat(received.switches).isEmpty();
    assertThat(received.errors).isEmpty();
  }

  @Test
  void those_of_a_slot_that_has_moved_follow_it_and_the_others_are_decided_once() {
    decide(store, limit(0, staying));
    List<AcquireRequest> requests = new ArrayList<>(List.of(request(limit(0, staying))));
    for (int i = 0; i < 4; i++) {
      requests.add(request(limit(i, moving)));
      requests.add(request(limit(i, moving), limit(i + 1, moving)));
      requests.add(request(limit(i, staying)));
    }
    endMove(moving);
    List<CompletableFuture<Decision.Counted>> answers =
        Gathering.at(cluster.get(0), store, requests);

    assertThat(answers).allMatch(answer -> answer.join().allowed());
    for (int i = 0; i < 5; i++) {
      int charged = i == 0 ? 2 : i == 4 ? 1 : 3;
      assertThat(decide(store, limit(i, moving)).binding().remaining()).isEqualTo(9 - charged);
      int stayed = i == 0 ? 3 : i == 4 ? 0 : 1;
      assertThat(decide(store, limit(i, staying)).binding().remaining()).isEqualTo(9 - stayed);
    }
    assertThat(received.switches).isEmpty();
    assertThat(received.errors).isEmpty();
  }

  private static Charge limit(int number, Subject subject) {
    return charge("limit" + number, LIMIT, subject, 1);
  }
}
