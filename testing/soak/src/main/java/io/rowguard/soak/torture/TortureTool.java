package io.rowguard.soak.torture;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/**
 * A tool of HBase's that writes rows and reads them again: the keys that it makes, the layouts that
 * these have, and how it is called. Named on command lines in lower case, with hyphens.
 */
enum TortureTool {
  /** IntegrationTestBigLinkedList: 16 random bytes, each row with the key of another one. */
  LINKED_LIST("{node:bytes(2)}{rest:bytes(14)}", "node", "meta,big,tiny") {
    @Override
    List<List<String>> commands(TortureGuard guard, String table, int rows) {
      int perMapper = share(rows, MAPPERS * WRAP) * WRAP;
      return List.of(
          command(
              "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList",
              guard,
              List.of(
                  "-DIntegrationTestBigLinkedList.table=" + table,
                  "loop",
                  "1",
                  String.valueOf(MAPPERS),
                  String.valueOf(perMapper),
                  "/torture/" + table,
                  "1",
                  String.valueOf(perMapper / WRAP),
                  String.valueOf(WRAP),
                  "0")));
    }

    @Override
    int number(byte[] key) {
      return key.length == 16 ? UNNUMBERED : NONE;
    }
  },

  /** LoadTestTool: decimal numbers behind the MD5 of their digits. */
  LOAD_TEST("{hash:hex(32)=md5(key)}-{key:digits(1..19)}", null, "test_cf") {
    @Override
    String layout(TortureGuard guard) {
      // The salt is to be all that is derived, so that the tool's rows are the bare keys.
      return guard.isSalted() ? SALT + "{hash:hex(32)}-{key:digits(1..19)}" : super.layout(guard);
    }

    @Override
    List<List<String>> commands(TortureGuard guard, String table, int rows) {
      List<List<String>> commands = new ArrayList<>();
      commands.add(loadTest(guard, table, rows, "-write", "3:64:4", "-read", "100:4"));
      if (guard != TortureGuard.BARE) {
        // Increments, appends and conditions, which salt mode refuses.
        commands.add(loadTest(guard, table, rows, "-update", "30:4"));
      }
      commands.add(loadTest(guard, table, rows, "-read", "100:4"));
      return commands;
    }

    private List<String> loadTest(TortureGuard guard, String table, int rows, String... work) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("-tn", table, "-families", "test_cf", "-skip_init"));
      arguments.addAll(List.of("-num_keys", String.valueOf(rows)));
      arguments.addAll(List.of(work));
      return command("org.apache.hadoop.hbase.util.LoadTestTool", guard, arguments);
    }

    @Override
    int number(byte[] key) {
      String text = new String(key, StandardCharsets.US_ASCII);
      int number = key.length > 33 ? parsed(text.substring(33)) : NONE;
      String digits = String.valueOf(number);
      return text.equals(MD5Hash.getMD5AsHex(Bytes.toBytes(digits)) + "-" + digits) ? number : NONE;
    }
  },

  /** PerformanceEvaluation: numbers of 26 digits; some are counted up and appended to. */
  PERFORMANCE("{thousand:digits(23)}{row:digits(3)}", "thousand", "info0") {
    @Override
    List<List<String>> commands(TortureGuard guard, String table, int rows) {
      int perClient = share(rows, CLIENTS);
      return List.of(
          performance(guard, table, perClient, "sequentialWrite", CLIENTS),
          performance(guard, table, perClient, "randomRead", CLIENTS),
          performance(guard, table, perClient, "increment", CLIENTS),
          performance(guard, table, perClient, "append", CLIENTS),
          performance(guard, table, rows, "scan", 1));
    }

    private List<String> performance(
        TortureGuard guard, String table, int rows, String work, int clients) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(
          List.of("--nomapred", "--rows=" + rows, "--valueSize=200", "--table=" + table));
      if (guard != TortureGuard.PLAIN) {
        // A table with another policy than this option says it makes anew.
        arguments.add("--splitPolicy=" + TortureTable.POLICY);
      }
      arguments.addAll(List.of(work, String.valueOf(clients)));
      return command("org.apache.hadoop.hbase.PerformanceEvaluation", guard, arguments);
    }

    @Override
    int number(byte[] key) {
      return key.length == 26 ? parsed(new String(key, StandardCharsets.US_ASCII)) : NONE;
    }
  };

  /** The {@link #number} of a key that the tool does not make. */
  static final int NONE = -1;

  /** The {@link #number} of the keys of a tool that makes them at random. */
  static final int UNNUMBERED = -2;

  /** How many clients PerformanceEvaluation has, each of which counts the same rows up once. */
  static final int CLIENTS = 4;

  /** The bytes that each of them appends to a row: the key. */
  static final int APPENDED = 26;

  static final int BUCKETS = 8;

  static final int MAPPERS = 2;

  /** How many rows are in a list that is closed to a ring. */
  static final int WRAP = 25;

  static final String SALT = "{salt:uint8=murmur3(*)%" + BUCKETS + "}";

  private final String layout;
  private final String group;
  private final String families;

  TortureTool(String layout, String group, String families) {
    this.layout = layout;
    this.group = group;
    this.families = families;
  }

  /**
   * One by this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static TortureTool of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The layout of a table for it. */
  String layout(TortureGuard guard) {
    return guard.isSalted() ? SALT + layout : layout;
  }

  /** The entity group of a table for it; null where whole rows are hashed, which divides them. */
  String group(TortureGuard guard) {
    return guard.isSalted() ? null : group;
  }

  List<String> families() {
    return List.of(families.split(",", -1));
  }

  /**
   * How it is called, one command after the other: the class, then the arguments.
   *
   * @param rows how many rows it writes
   * @throws IllegalArgumentException if the tool cannot write so many
   */
  abstract List<List<String>> commands(TortureGuard guard, String table, int rows);

  /**
   * Which row a key is of, counted from 0.
   *
   * @return {@link #NONE} for a key that it does not make; {@link #UNNUMBERED} where keys are
   *     random
   */
  abstract int number(byte[] key);

  static int share(int rows, int shares) {
    if (rows % shares != 0) {
      throw new IllegalArgumentException("Rows come in multiples of " + shares + ", not " + rows);
    }
    return rows / shares;
  }

  /** A number; {@link #NONE} where that is none, or larger than any that is asked for. */
  static int parsed(String digits) {
    try {
      return digits.startsWith("+") || digits.startsWith("-") ? NONE : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return NONE;
    }
  }

  static List<String> command(String main, TortureGuard guard, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(main);
    if (guard == TortureGuard.SALTED) {
      command.add("-Dhbase.client.connection.impl=io.rowguard.client.SaltedConnection");
      command.add("-Dhbase.client.async.connection.impl=io.rowguard.client.SaltedAsyncConnection");
    }
    command.addAll(arguments);
    return command;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
