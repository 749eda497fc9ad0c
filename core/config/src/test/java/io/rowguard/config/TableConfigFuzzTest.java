package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.ordersTable;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any text in a descriptor or in hbase-site.xml has a verdict, never an exception. */
class TableConfigFuzzTest {
  private static final int ROUNDS = 5_000;
  private static final String ALPHABET =
      "{}()|:=%*,.- \\$\n\t\0abcxyz019AZ\u00e4\u4e16\ud83d\ude00";

  private static final String[] VALUES = {
    LAYOUT,
    "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}",
    "{hash:hex(8)=md5(id)}{id:uint64}",
    "user",
    "time",
    "reject",
    "warn",
    "off",
    "accept",
    "enforce",
    "1",
    "32767",
    "prepared",
    "moving",
    "{salt:digits(3)=murmur3(user)%128}-{user:word}|{time:millis descending}",
    "${user.name}",
    "${rowguard.layout}"
  };

  private static final String[] OTHER_KEYS = {
    "rowguard.layuot", "rowguard.", "ROWGUARD.MODE", "MAX_FILESIZE", "rowguard.mode ", "x"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void of_anything_answersWithoutAnException(long seed) {
    Random random = new Random(seed);
    int wrong = 0;
    int right = 0;
    int changing = 0;
    for (int i = 0; i < ROUNDS; i++) {
      TableConfig config = TableConfig.of(randomTable(random), randomSite(random));
      assertConsistent(config);
      wrong += config.isWrong() ? 1 : 0;
      right += config.hasLayout() ? 1 : 0;
      changing += config.relayout() != null ? 1 : 0;
    }
    assertTrue(wrong > ROUNDS / 10, "hardly a mistake among these: " + wrong);
    assertTrue(right > ROUNDS / 100, "hardly a right one among these: " + right);
    assertTrue(changing > ROUNDS / 100, "hardly a change among these: " + changing);
  }

  private static void assertConsistent(TableConfig config) {
    assertEquals(config.isWrong(), !config.problems().isEmpty());
    assertEquals(config.hasLayout(), config.layout() != null);
    assertEquals(config.hasLayout(), config.group() != null);
    assertTrue(!config.isWrong() || !config.hasLayout(), "wrong, and yet a layout");
    assertTrue(config.problems().isEmpty() || config.warnings().isEmpty());
    assertNotNull(config.mode());
    assertNotNull(config.deletes());
    assertNotNull(config.replication());
    String message = config.problemMessage("orders", "writes are refused");
    for (String problem : config.problems()) {
      assertTrue(problem.endsWith("."), problem);
      assertTrue(message.contains(problem), message);
    }
  }

  private static TableDescriptor randomTable(Random random) {
    TableDescriptorBuilder table =
        random.nextInt(4) > 0
            ? ordersTable()
            : TableDescriptorBuilder.newBuilder(RelayoutConfigTest.moving())
                .removeColumnFamily("f".getBytes(StandardCharsets.UTF_8));
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder("f".getBytes(StandardCharsets.UTF_8));
    for (int i = random.nextInt(4); i > 0; i--) {
      table.setValue(randomKey(random), randomValue(random));
    }
    if (random.nextInt(10) == 0) {
      family.setConfiguration(randomKey(random), randomValue(random));
    }
    return table.setColumnFamily(family.build()).build();
  }

  private static Configuration randomSite(Random random) {
    Configuration site = new Configuration(false);
    for (int i = random.nextInt(3); i > 0; i--) {
      site.set(randomKey(random), randomValue(random));
    }
    return site;
  }

  /** Mostly a key of ours, and mostly the layout, without which little happens. */
  private static String randomKey(Random random) {
    RowguardKey[] keys = RowguardKey.values();
    switch (random.nextInt(8)) {
      case 0:
        return OTHER_KEYS[random.nextInt(OTHER_KEYS.length)];
      case 1:
        return RowguardKey.PREFIX + randomText(random, 1 + random.nextInt(8));
      case 2:
      case 3:
      case 4:
        return RowguardKey.LAYOUT.key();
      default:
        return keys[random.nextInt(keys.length)].key();
    }
  }

  /** A value that is right somewhere, as it is or with some characters changed, or any text. */
  private static String randomValue(Random random) {
    String value = VALUES[random.nextInt(VALUES.length)];
    switch (random.nextInt(6)) {
      case 0:
        return randomText(random, random.nextInt(30));
      case 1:
        int at = random.nextInt(value.length());
        return value.substring(0, at) + randomText(random, random.nextInt(3)) + value.substring(at);
      case 2:
        return value.substring(0, random.nextInt(value.length()));
      default:
        return value;
    }
  }

  private static String randomText(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
