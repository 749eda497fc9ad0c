package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The golden vectors: what is in the two data files, and a {@code main} that writes them anew (with
 * the resource directory as its argument). They hold what tables were written with, so a change in
 * them means that data out there is orphaned.
 */
final class VectorFiles {
  static final String HASHES = "hash-vectors.tsv";
  static final String LAYOUTS = "layout-vectors.tsv";

  /** Stands for no group, no bare key, no salted row. */
  static final String NONE = "(none)";

  private static final int[] BUCKETS = {2, 3, 7, 10, 16, 20, 100, 255, 256, 1000, 65535, 65536};

  /** Texts whose string31, java31 and murmur3 are -2^31. */
  static final List<String> LEAST_HASHES = List.of("polygenelubricants", "nxccxbhhu", "djsq03si");

  /** The layouts of the cookbook with their groups. */
  private static final String[][] COOKBOOK = {
    {"{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}", "user"},
    {"{hash:hex(8)=md5(id)}{id:uint64}", NONE},
    {"{hash:hex(4)=md5(*)}-{id:word}", NONE},
    {"{part:uint64=id%20}{id:uint64}", NONE},
    {"{id:hex(16)}", NONE},
    {"{order:digits(12) reversed}{time:millis descending}", "order"},
    {"{salt:digits(2)=murmur3(*)%100}{event:digits(4)}{date:digits(8)}{offset:uint64}", NONE},
    {"{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}", NONE},
    {"{number:digits(11) reversed}", NONE},
    {"{salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{kind:word}/{id:text}", "tenant"},
    {"{scope:text}/{name:text}", "scope"},
    {"{salt:uint8=java31(*)%16}{id:int64}", NONE},
    {"{salt:uint8=java31(*)%16}{tag:text descending}\\xFF{level:int32 descending}", NONE},
    {
      "{salt:hex(2)=murmur3(name)%256}-{name:text}\\x00{delta:int16}{key:bytes(4) descending}",
      "name"
    },
    {"{salt:digits(2)=murmur3(tenant)%64+murmur3(item)%4}-{tenant:word}/{item:text}", "tenant"},
    {"{salt:digits(2)=murmur3(*)%16,64 from day=20261201}|{day:digits(8)}/{id:word}", NONE},
    {"{salt:hex(2)=crc32(a)%16+b%4,64 from b=-5,256 from b=1000}-{a:word}/{b:int16}", "a"},
    {"{salt:uint8=java31(*)%16}{name:text}\\x00{note:text optional}", NONE},
    {"{salt:digits(2)=murmur3(user)%16}-{user:word}-{n:uint16 optional}", "user"},
    {"{salt:uint8=java31(agent,time) masked%64}{agent:text(4)}{time:millis descending}", NONE},
    {"{salt:digits(2)=string31(user)%16}_{user:text}", "user"},
    {"{hash:hex(10)=sha1(id)}{salt:digits(1)=sha256(*) floor%10}-{id:word}", NONE},
    {
      "{id:digits(2) reversed},{time:digits(16) descending from 9223372036854775},{n:digits(5)}",
      "id"
    },
    {
      "{salt:hex(1)=time%7,16 from time=1600000000000}{time:digits(19) descending from"
          + " 9223372036854775807}",
      NONE
    },
    {"{hash:hex(8)=md5(id as decimal)}{id:uint64}", NONE},
    {"{salt:uint8=java31(agent,first 4 of time) masked%64}{agent:word(3)}{time:millis}", NONE},
    {"{salt:digits(2)=string31(phone as text)%50}{phone:digits(8) reversed}", NONE},
    {"{hash:hex(4)=md5(day as long)}-{day:digits(8)}", NONE},
    {"{salt:digits(2)=any of 64}{event:digits(4)}{date:digits(8)}{offset:uint64}", "event"},
    {"{salt:hex(2)=murmur3(user)%200+any of 8}-{user:word}/{item:digits(4)}", "user"},
    {"{salt:digits(1)=uid%4}_{uid:digits(1..19)}", NONE},
    {"{part:digits(2)=string31(user)/100000000}_{user:word}|{time:millis}", "user"},
    {"{part:uint16=md5(*) masked/32768}{id:bytes(4)}", NONE},
    {"{topic:word(0..20) with length uint8}{queue:uint16}{offset:uint64}", "topic"},
    {"{part:uint16=java31(id as text)%10}{id:text with length uint8 plus 127}", NONE},
    {
      "{salt:uint8=murmur3(key)%32}{key:bytes with length uint16}{name:text descending with length"
          + " uint8}{time:millis descending}",
      "key"
    },
    {"{host:text}:{protocol:word}:{port:digits(1..5) optional}/{path:text}", "host"},
    {"{salt:hex(2)=md5(site)%256}-{site:word}-{part:hex(2) optional}/{page:word}", NONE},
  };

  private VectorFiles() {}

  /**
   * Lines of hash, input in hex, digest in hex, buckets, bucket; behind the hash the word for its
   * remainder, if it is not the usual one.
   */
  static List<String> hashLines() {
    List<String> lines = new ArrayList<>();
    lines.add("# hash\tinput (hex)\tdigest (hex)\tbuckets\tbucket");
    int n = 0;
    for (String hash : SlowHash.NAMES) {
      for (byte[] input : hash.equals("string31") ? texts() : hashInputs()) {
        for (int i = 0; i < 3; i++) {
          int buckets = BUCKETS[n++ % BUCKETS.length];
          lines.add(hashLine(hash, input, buckets));
        }
      }
    }
    for (String hash : SlowHash.NAMES) {
      for (String way : SlowHash.WAYS) {
        if (!way.equals(SlowHash.usualWay(hash))) {
          for (byte[] input : texts()) {
            lines.add(hashLine(hash + " " + way, input, BUCKETS[n++ % BUCKETS.length]));
          }
        }
      }
    }
    return lines;
  }

  /** Texts of 0 to 24 characters of one to four bytes, and three whose hashes are -2^31. */
  private static List<byte[]> texts() {
    List<byte[]> texts = new ArrayList<>();
    String characters = "aZ0_|é日\uD83D\uDE00\uFFFF\u0000\uE000";
    int[] codePoints = characters.codePoints().toArray();
    for (int length = 0; length <= 24; length++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.appendCodePoint(codePoints[(i * i + length) % codePoints.length]);
      }
      texts.add(text.toString().getBytes(UTF_8));
    }
    LEAST_HASHES.forEach(text -> texts.add(text.getBytes(UTF_8)));
    return texts;
  }

  static String hashLine(String hashAndWay, byte[] input, int buckets) {
    String[] words = hashAndWay.split(" ", -1);
    String way = words.length == 1 ? null : words[1];
    return String.join(
        "\t",
        hashAndWay,
        SlowBytes.hex(input),
        SlowBytes.hex(SlowHash.digest(words[0], input)),
        String.valueOf(buckets),
        String.valueOf(SlowHash.bucket(words[0], way, input, buckets)));
  }

  private static List<byte[]> hashInputs() {
    List<byte[]> inputs = new ArrayList<>();
    Random random = new Random(20);
    for (int length = 0; length <= 20; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      inputs.add(bytes);
    }
    for (String text : List.of("a", "alice", "user-4711", "The quick brown fox", "日本語")) {
      inputs.add(text.getBytes(UTF_8));
    }
    for (int length : new int[] {1, 3, 8, 64, 255}) {
      byte[] bytes = new byte[length];
      inputs.add(bytes.clone());
      Arrays.fill(bytes, (byte) 0xFF);
      inputs.add(bytes.clone());
      Arrays.fill(bytes, (byte) 0x80);
      inputs.add(bytes);
    }
    return inputs;
  }

  /** Lines of layout, group, row, verdict, bare key, group end, row completed from a bare key. */
  static List<String> layoutLines() {
    List<String> lines = new ArrayList<>();
    lines.add("# layout\tgroup\trow\tverdict\tbare key\tgroup end\tcompleted, if a bare key");
    for (int i = 0; i < COOKBOOK.length; i++) {
      SlowModel model = SlowParser.parse(COOKBOOK[i][0]);
      for (byte[] row : sampleRows(model, LayoutCase.random(21, i))) {
        lines.add(layoutLine(model, COOKBOOK[i][1], row));
      }
    }
    return lines;
  }

  static String layoutLine(SlowModel model, String group, byte[] row) {
    SlowLayout layout = new SlowLayout(model);
    Verdict verdict = layout.check(row);
    return String.join(
        "\t",
        model.text(),
        group,
        SlowBytes.show(row),
        verdict.name(),
        verdict.conforms() ? SlowBytes.show(layout.strip(row)) : NONE,
        String.valueOf(layout.groupEnd(group.equals(NONE) ? null : group, row)),
        layout.isBare(row) ? SlowBytes.show(layout.complete(row)) : NONE);
  }

  /** Five rows that conform, a bare key, a wrong salt, too little, too much, near misses. */
  private static List<byte[]> sampleRows(SlowModel model, Random random) {
    RandomRows rows = new RandomRows(model, random);
    SlowLayout layout = new SlowLayout(model);
    List<byte[]> sample = new ArrayList<>();
    while (sample.size() < 14) {
      byte[] row = sample.size() < 5 ? rows.conforming() : sample.get(random.nextInt(5));
      byte[] next =
          switch (sample.size()) {
            case 0, 1, 2, 3, 4 -> row;
            case 5 -> layout.strip(row);
            case 6 -> wrongSalt(layout, rows);
            case 7 -> new byte[0];
            case 8 -> SlowBytes.first(row, row.length - 1);
            case 9 -> SlowBytes.append(row, 0);
            case 10 -> SlowBytes.from(row, layout.read(row).ends.get(0));
            default -> rows.mutated(row);
          };
      boolean isNew = sample.stream().noneMatch(known -> Arrays.equals(known, next));
      boolean isLegible = next.length < 60 && SlowBytes.indexOf(next, new byte[] {' '}) < 0;
      if (isLegible && (isNew || sample.size() == 5 || sample.size() == 10)) {
        sample.add(next);
      }
    }
    return sample;
  }

  private static byte[] wrongSalt(SlowLayout layout, RandomRows rows) {
    byte[] row = rows.wrongSalt();
    while (layout.model.hasDerived() && layout.check(row) != Verdict.WRONG_SALT) {
      row = rows.wrongSalt();
    }
    return row;
  }

  static List<String> read(String file) throws IOException {
    try (InputStream in = VectorFiles.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    Files.write(directory.resolve(HASHES), hashLines());
    Files.write(directory.resolve(LAYOUTS), layoutLines());
  }
}
