package io.rowguard.client;

import static io.rowguard.client.AliceTable.transferred;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Answers of a commit when requests and answers get lost, as planted: true only of what was carried
 * out, false and failures only of what never will be, else that it is unknown.
 */
@ExtendWith(MiniCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostCommitsIT {
  private static final int TRIES = 3;
  private static final int MORE_THAN_TRIES = 10;
  private static final byte[] RECEIPTS = bytes("alice|0009");

  private final HBaseTestingUtility hbase;
  private Connection impatient;
  private AliceTable groups;

  LostCommitsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeAll
  void connect() throws IOException {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, TRIES - 1);
    impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  void disconnect() throws IOException {
    impatient.close();
  }

  @BeforeEach
  void create() throws IOException {
    groups = AliceTable.create(hbase, impatient, GroupTables.SALTED, "reject");
    groups.put("alice|0001", 100);
  }

  @AfterEach
  void drop() throws IOException {
    groups.close();
  }

  private GroupTransaction withReceipt() throws IOException {
    return groups.transfer(100).receipt(RECEIPTS, G);
  }

  private static <T> T losing(AtomicInteger what, int times, Callable<T> work) throws Exception {
    what.set(times);
    try {
      return work.call();
    } finally {
      what.set(0);
    }
  }

  private CommitUnknownException unknown(AtomicInteger what, int times, GroupTransaction given)
      throws Exception {
    return losing(
        what, times, () -> assertThrows(CommitUnknownException.class, given::commit, "" + times));
  }

  @Test
  void commit_oneRequestLost_isCarriedOutByTheNext() throws Exception {
    assertTrue(losing(LostCommits.REQUESTS, 1, groups.transfer(100)::commit));
    assertEquals(transferred(100), groups.snapshot());
    assertFalse(losing(LostCommits.REQUESTS, 1, withReceipt()::commit));
  }

  @Test
  void commit_answerLost_isFoundOutByItsReceipt() throws Exception {
    assertTrue(losing(LostCommits.ANSWERS, 1, withReceipt()::commit));
    assertEquals(transferred(100), groups.snapshot());
    groups.put("alice|0001", 200);
    assertTrue(
        losing(
            LostCommits.ANSWERS,
            MORE_THAN_TRIES,
            groups.transfer(200).receipt(RECEIPTS, G)::commit));
    assertEquals(transferred(200), groups.snapshot());
  }

  /** HBase's client sends it again, when its conditions fail for what it did itself. */
  @Test
  void commit_answerLostWithoutReceipt_isUnknown() throws Exception {
    assertNull(unknown(LostCommits.ANSWERS, 1, groups.transfer(100)).receipt());
    assertEquals(transferred(100), groups.snapshot());
  }

  @Test
  void commit_allRequestsLost_isNotCarriedOutWhereAReceiptSaysSo() throws Exception {
    assertNull(unknown(LostCommits.REQUESTS, MORE_THAN_TRIES, groups.transfer(100)).receipt());
    IOException failed =
        losing(
            LostCommits.REQUESTS,
            MORE_THAN_TRIES,
            () -> assertThrows(IOException.class, withReceipt()::commit));
    assertFalse(failed instanceof CommitUnknownException, "" + failed);
    assertEquals(Map.of("alice|0001", 100L), groups.snapshot());
    assertTrue(withReceipt().commit());
  }

  /** HBase 2's client sees that before it sends again, and does not. */
  @Test
  void commit_answerLostAndTableDisabled_isUnknown() throws Exception {
    Configuration slow = new Configuration(hbase.getConfiguration());
    slow.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, TRIES - 1);
    slow.setLong(HConstants.HBASE_CLIENT_PAUSE, 2_000);
    try (Connection connection = ConnectionFactory.createConnection(slow);
        SaltedTable table = SaltedTable.open(connection, groups.name())) {
      GroupTransaction transaction =
          RowGroup.of(table, AliceTable.ALICE).put(put("alice|0001", 0)).receipt(RECEIPTS, G);
      LostCommits.ANSWERS.set(1);
      FutureTask<CommitUnknownException> commit =
          new FutureTask<>(() -> assertThrows(CommitUnknownException.class, transaction::commit));
      new Thread(commit).start();
      Eventually.isTrue("the answer is lost", () -> LostCommits.ANSWERS.get() == 0);

      hbase.getAdmin().disableTable(groups.name());

      CommitReceipt receipt = commit.get().receipt();
      hbase.getAdmin().enableTable(groups.name());
      assertTrue(receipt.settle());
      assertEquals(Map.of("alice|0001", 0L), groups.snapshot());
    }
  }

  /** Nothing can be found out while the region does not answer at all; afterwards all can. */
  @Test
  void commit_receiptCannotBeAsked_isUnknownUntilItCan() throws Exception {
    for (AtomicInteger lost : List.of(LostCommits.REQUESTS, LostCommits.ANSWERS)) {
      groups.put("alice|0001", 100);
      CommitReceipt receipt =
          losing(
              LostCommits.CONDITIONAL,
              MORE_THAN_TRIES,
              () -> unknown(lost, MORE_THAN_TRIES, withReceipt()).receipt());
      assertNotNull(receipt);
      boolean wasCarriedOut = lost == LostCommits.ANSWERS;
      assertEquals(wasCarriedOut, receipt.settle());
      assertEquals(wasCarriedOut, receipt.settle());
      assertEquals(wasCarriedOut ? 0 : 100, groups.number("alice|0001"));
    }
  }

  /** Its thread learns that at once, and that it is interrupted, on each HBase. */
  @Test
  void commit_interrupted_isUnknownAndStaysInterrupted() throws Exception {
    for (GroupTransaction transaction : List.of(groups.transfer(100), withReceipt())) {
      groups.put("alice|0001", 100);
      LostCommits.GATE.set(new CountDownLatch(1));
      FutureTask<CommitUnknownException> commit =
          new FutureTask<>(
              () -> {
                CommitUnknownException unknown =
                    assertThrows(CommitUnknownException.class, transaction::commit);
                assertTrue(Thread.interrupted());
                return unknown;
              });
      Thread thread = new Thread(commit);
      thread.start();
      Eventually.isTrue("the commit is on its way", () -> LostCommits.WAITING.get() > 0);

      thread.interrupt();

      CommitReceipt receipt = commit.get().receipt();
      LostCommits.reset();
      Eventually.isTrue("it has arrived", () -> groups.number("alice|0001") == 0);
      assertTrue(receipt == null || receipt.settle());
    }
  }

  @Test
  void commit_receiptThatTheFamilyDoesNotKeep_isRefused() throws Exception {
    hbase
        .getAdmin()
        .modifyColumnFamily(
            groups.name(), ColumnFamilyDescriptorBuilder.newBuilder(G).setTimeToLive(3600).build());
    OpenRegions.await(hbase, groups.name());
    try (SaltedTable table = SaltedTable.open(impatient, groups.name())) {
      for (long millis : new long[] {3_600_001, 3_600_000}) {
        GroupTransaction transaction =
            RowGroup.of(table, AliceTable.ALICE)
                .put(put("alice|0001", 1))
                .receipt(RECEIPTS, G, millis);
        if (millis == 3_600_000) {
          assertTrue(transaction.commit());
        } else {
          DoNotRetryIOException refused =
              assertThrows(DoNotRetryIOException.class, transaction::commit);
          assertTrue(refused.getMessage().contains("familyTtlSeconds=3600"), "" + refused);
          assertEquals(100, groups.number("alice|0001"));
        }
      }
    }
  }

  @Test
  void settle_beforeTheTransactionArrives_keepsItFromBeingCarriedOut() throws Exception {
    CommitReceipt receipt = receipt(1_000_000);
    assertFalse(receipt.settle());

    assertFalse(
        groups
            .alice()
            .when(receipt.condition().row())
            .column(G, bytes("rowguard.receipt." + receipt.id()))
            .doesNotExist()
            .put(receipt.put())
            .put(put("alice|0001", 1))
            .commit());

    assertFalse(receipt.settle());
    assertEquals(100, groups.number("alice|0001"));
  }

  private CommitReceipt receipt(long ttlMillis) {
    return new CommitReceipt.Place(groups.table().groups(), RECEIPTS, G, ttlMillis).next();
  }

  @Test
  void settle_tooLate_isNoAnswer() throws Exception {
    CommitReceipt receipt = receipt(1);
    Eventually.isTrue(
        "the receipt is too old",
        () -> {
          try {
            receipt.settle();
            return false;
          } catch (IOException e) {
            return e.getMessage().startsWith("The receipt is too old");
          }
        });
  }

  /** It may have been there and gone, by the time that the servers looked. */
  @Test
  void settle_answeredTooLate_isNoAnswer() throws Exception {
    LostCommits.CONDITIONAL_LATE.set(3_000);
    try {
      CommitReceipt receipt = receipt(5_000);
      IOException e = assertThrows(IOException.class, receipt::settle);
      assertTrue(e.getMessage().startsWith("The receipt is too old"), e.getMessage());
    } finally {
      LostCommits.reset();
    }
  }

  @Test
  void receipt_whenItsTimeIsOver_isGone() throws Exception {
    groups.table().put(receipt(1).put());
    groups.table().put(receipt(1_000_000).put());
    Eventually.isTrue(
        "one of the two is left",
        () -> groups.table().get(new Get(RECEIPTS).addFamily(G)).size() == 1);
    assertThrows(
        IllegalArgumentException.class, () -> groups.transfer(1).receipt(RECEIPTS, G, 59_999));
  }

  /** It would be hidden by the delete, and a second sending would be carried out again. */
  @Test
  void commit_deleteThatTakesTheReceiptAway_isRefused() throws Exception {
    for (Delete delete :
        List.of(
            new Delete(RECEIPTS),
            new Delete(RECEIPTS).addFamily(G),
            new Delete(RECEIPTS).addFamilyVersion(G, 5))) {
      DoNotRetryIOException refused =
          assertThrows(DoNotRetryIOException.class, withReceipt().delete(delete)::commit);
      assertTrue(refused.getMessage().contains("would delete its receipt"), "" + refused);
    }
    assertEquals(Map.of("alice|0001", 100L), groups.snapshot());
    assertTrue(
        losing(
            LostCommits.ANSWERS,
            1,
            withReceipt()
                    .delete(new Delete(RECEIPTS).addFamily(F))
                    .delete(new Delete(RECEIPTS).addColumns(G, Q))
                    .delete(new Delete(bytes("alice|0008")))
                ::commit));
  }
}
