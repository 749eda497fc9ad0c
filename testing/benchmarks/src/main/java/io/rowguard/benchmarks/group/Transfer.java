package io.rowguard.benchmarks.group;

import com.google.protobuf.ServiceException;
import io.rowguard.client.GroupTransaction;
import io.rowguard.client.RowGroup;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet.Field;

/** A way to put two rows of a customer, with the promises that come with it. */
enum Transfer {
  PUTS("two puts, one after the other") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      table.put(both.get(0));
      table.put(both.get(1));
    }
  },
  LIST("two puts in one list") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      table.put(List.copyOf(both));
    }
  },
  CHECKS("two `checkAndMutate`, one after the other") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      for (Put put : both) {
        CheckAndMutate ifOpen =
            CheckAndMutate.newBuilder(put.getRow())
                .ifEquals(Accounts.FAMILY, Accounts.STATE, Accounts.OPEN)
                .build(put);
        require(table.checkAndMutate(ifOpen).isSuccess());
      }
    }
  },
  ENDPOINT("HBase's endpoint, called through `SaltedTable`") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      Field.Builder mutations = Field.newBuilder();
      for (Put put : both) {
        mutations.addLengthDelimited(ProtobufUtil.toMutation(MutationType.PUT, put).toByteString());
      }
      byte[] request =
          UnknownFieldSet.newBuilder().addField(1, mutations.build()).build().toByteArray();
      try {
        require(
            MultiRowMutationService.newBlockingStub(table.coprocessorService(both.get(0).getRow()))
                .mutateRows(null, MutateRowsRequest.parseFrom(request))
                .getProcessed());
      } catch (ServiceException e) {
        throw new IOException(e);
      }
    }
  },
  COMMIT("`RowGroup`, without conditions") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      require(transaction(table, both).commit());
    }
  },
  CONDITIONS("`RowGroup`, a condition on each row") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      require(withConditions(table, both).commit());
    }
  },
  RECEIPT("`RowGroup`, likewise, and a receipt") {
    @Override
    void send(Table table, List<Put> both) throws IOException {
      require(
          withConditions(table, both).receipt(both.get(0).getRow(), Accounts.RECEIPTS).commit());
    }
  };

  private final String words;

  Transfer(String words) {
    this.words = words;
  }

  /**
   * Writes both rows.
   *
   * @param table a {@link SaltedTable}
   * @param both puts of one customer, by bare key
   */
  abstract void send(Table table, List<Put> both) throws IOException;

  private static GroupTransaction transaction(Table table, List<Put> both) throws IOException {
    RowGroup customer = RowGroup.of(table, Accounts.customer(both.get(0).getRow()));
    return customer.put(both.get(0)).put(both.get(1));
  }

  private static GroupTransaction withConditions(Table table, List<Put> both) throws IOException {
    GroupTransaction transaction = transaction(table, both);
    for (Put put : both) {
      transaction
          .when(put.getRow())
          .column(Accounts.FAMILY, Accounts.STATE)
          .is(CompareOperator.EQUAL, Accounts.OPEN);
    }
    return transaction;
  }

  /** A transfer that is not carried out would be a fast one. */
  private static void require(boolean done) {
    if (!done) {
      throw new IllegalStateException("A condition did not hold.");
    }
  }

  /** Its name, for a report. */
  @Override
  public String toString() {
    return words;
  }
}
