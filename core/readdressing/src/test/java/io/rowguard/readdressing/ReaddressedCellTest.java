package io.rowguard.readdressing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.SizeCachedKeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReaddressedCellTest {
  private static final byte[] F = {'f'};
  private static final byte[] Q = {'q', 'r'};

  /** The ways in which cells lie in memory. */
  enum Form {
    ALONE {
      @Override
      Cell of(KeyValue cell) {
        return cell;
      }
    },
    COPY {
      @Override
      Cell of(KeyValue cell) {
        return ReaddressedCell.of(cell, CellUtil.cloneRow(cell));
      }
    },
    /** As those that were received do. */
    IN_A_LARGER_BUFFER {
      @Override
      Cell of(KeyValue cell) {
        return withSequence(new KeyValue(larger(cell), 7, cell.getLength()), cell);
      }
    },
    SUBCLASS {
      @Override
      Cell of(KeyValue cell) {
        return new SizeCachedKeyValue(
            larger(cell), 7, cell.getLength(), cell.getSequenceId(), cell.getKeyLength());
      }
    },
    OFF_HEAP {
      @Override
      Cell of(KeyValue cell) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(cell.getLength() + 20);
        buffer.put(larger(cell));
        return new ByteBufferKeyValue(buffer, 7, cell.getLength(), cell.getSequenceId());
      }
    };

    abstract Cell of(KeyValue cell);

    private static byte[] larger(KeyValue cell) {
      byte[] buffer = new byte[cell.getLength() + 20];
      System.arraycopy(cell.getBuffer(), cell.getOffset(), buffer, 7, cell.getLength());
      return buffer;
    }

    private static Cell withSequence(KeyValue cell, KeyValue as) {
      cell.setSequenceId(as.getSequenceId());
      return cell;
    }
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void of_anyCell_changesTheRowOnly(Form form) {
    Random random = new Random(4);
    KeyValue.Type[] types = {
      KeyValue.Type.Put,
      KeyValue.Type.Delete,
      KeyValue.Type.DeleteColumn,
      KeyValue.Type.DeleteFamily,
      KeyValue.Type.DeleteFamilyVersion
    };
    for (int i = 0; i < 500; i++) {
      byte[][] pieces = new byte[5][];
      for (int p = 0; p < pieces.length; p++) {
        pieces[p] = new byte[1 + random.nextInt(40)];
        random.nextBytes(pieces[p]);
      }
      List<Tag> tags = i % 2 == 0 ? List.of(new ArrayBackedTag((byte) 66, pieces[4])) : null;
      KeyValue whole =
          new KeyValue(
              pieces[0],
              pieces[1],
              pieces[2],
              random.nextInt(1 << 30),
              types[i % types.length],
              pieces[3],
              tags);
      whole.setSequenceId(i);
      Cell given = form.of(whole);
      String before = PublicProperties.cell(given);
      byte[] row = new byte[random.nextInt(200)];
      Cell moved = ReaddressedCell.of(given, row);
      assertArrayEquals(row, CellUtil.cloneRow(moved));
      assertEquals(before, PublicProperties.cell(moved));
      Cell bare = ReaddressedCell.withoutTags(given, row);
      assertArrayEquals(row, CellUtil.cloneRow(bare));
      assertEquals(0, ((RawCell) bare).cloneTags().length);
      String tagsAsText = Bytes.toStringBinary(((RawCell) given).cloneTags());
      assertEquals(
          before.replace(" " + tagsAsText + " " + i, "  " + i), PublicProperties.cell(bare));
      assertArrayEquals(pieces[0], CellUtil.cloneRow(given));
      assertEquals(before, PublicProperties.cell(given));
    }
  }

  /** The arrays that such a cell gives are copies, which servers would make for every cell. */
  @Test
  void of_cellInAByteBuffer_asksForNoArrays() {
    KeyValue whole = new KeyValue(F, F, Q, 7, KeyValue.Type.Put, Q);
    Cell given =
        new ByteBufferKeyValue(ByteBuffer.wrap(whole.getBuffer()), 0, whole.getLength()) {
          @Override
          public byte[] getFamilyArray() {
            throw new AssertionError("a copy of the family");
          }

          @Override
          public byte[] getQualifierArray() {
            throw new AssertionError("a copy of the qualifier");
          }

          @Override
          public byte[] getValueArray() {
            throw new AssertionError("a copy of the value");
          }
        };
    assertEquals(new KeyValue(Q, F, Q, 7, Q), ReaddressedCell.of(given, Q));
    assertArrayEquals(Q, CellUtil.cloneValue(ReaddressedCell.of(given, Q)));
  }
}
