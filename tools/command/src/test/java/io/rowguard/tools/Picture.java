package io.rowguard.tools;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A picture of the manual: a PNG of 256 colours that carries the command it shows, so that a test
 * sees when picture and page are no longer of the same command.
 */
record Picture(BufferedImage image, String command) {
  private static final String PNG = "javax_imageio_png_1.0";
  private static final String KEYWORD = "Comment";
  private static final int COLOURS = 256;
  private static final int MARGIN = 8;

  static Picture read(Path file) throws IOException {
    ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
    try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
      reader.setInput(in);
      Element metadata = (Element) reader.getImageMetadata(0).getAsTree(PNG);
      NodeList texts = metadata.getElementsByTagName("tEXtEntry");
      String command = "";
      for (int i = 0; i < texts.getLength(); i++) {
        Element text = (Element) texts.item(i);
        if (text.getAttribute("keyword").equals(KEYWORD)) {
          command = text.getAttribute("value");
        }
      }
      return new Picture(reader.read(0), command);
    } finally {
      reader.dispose();
    }
  }

  void write(Path file) throws IOException {
    BufferedImage small = withFewColours(withoutEmptyEnd(image));
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ImageWriteParam smallest = writer.getDefaultWriteParam();
    smallest.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
    smallest.setCompressionQuality(0);
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(small), smallest);
    metadata.mergeTree(PNG, textNode());
    Files.deleteIfExists(file); // The stream would leave the end of a longer file.
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      writer.setOutput(out);
      writer.write(null, new IIOImage(small, null, metadata), smallest);
    } finally {
      writer.dispose();
    }
  }

  private IIOMetadataNode textNode() {
    IIOMetadataNode entry = new IIOMetadataNode("tEXtEntry");
    entry.setAttribute("keyword", KEYWORD);
    entry.setAttribute("value", command);
    IIOMetadataNode text = new IIOMetadataNode("tEXt");
    text.appendChild(entry);
    IIOMetadataNode root = new IIOMetadataNode(PNG);
    root.appendChild(text);
    return root;
  }

  /** Cuts off what lies below the page's content, except a margin. */
  private static BufferedImage withoutEmptyEnd(BufferedImage image) {
    int width = image.getWidth();
    int background = image.getRGB(0, image.getHeight() - 1);
    int end = image.getHeight();
    while (end > 1 && isAll(background, image.getRGB(0, end - 1, width, 1, null, 0, width))) {
      end--;
    }
    return image.getSubimage(0, 0, width, Math.min(end + MARGIN, image.getHeight()));
  }

  private static boolean isAll(int colour, int[] pixels) {
    return IntStream.of(pixels).allMatch(pixel -> pixel == colour);
  }

  /** With a palette; colours that are not in it, edges of letters mostly, become the nearest. */
  private static BufferedImage withFewColours(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    int[] pixels = image.getRGB(0, 0, width, height, null, 0, width);
    int[] palette = palette(pixels);
    IndexColorModel colours =
        new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage result =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colours);
    Map<Integer, Integer> nearest = new HashMap<>();
    for (int i = 0; i < pixels.length; i++) {
      int index = nearest.computeIfAbsent(pixels[i], pixel -> nearest(palette, pixel));
      result.getRaster().setSample(i % width, i / width, 0, index);
    }
    return result;
  }

  /**
   * The most frequent colours, without those that lie near a more frequent one. Near is as near as
   * it must be for all to find room, so that rare colours, such as those of a scale, keep theirs.
   */
  private static int[] palette(int[] pixels) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int pixel : pixels) {
      counts.merge(pixel, 1, Integer::sum);
    }
    List<Integer> byFrequency =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    List<Integer> palette = byFrequency;
    for (int near = 1; palette.size() > COLOURS; near *= 2) {
      palette = new ArrayList<>();
      for (int colour : byFrequency) {
        int least = near;
        if (palette.stream().noneMatch(other -> distance(other, colour) <= least)) {
          palette.add(colour);
        }
      }
    }
    return palette.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int nearest(int[] palette, int pixel) {
    return IntStream.range(0, palette.length)
        .boxed()
        .min(Comparator.comparingInt(i -> distance(palette[i], pixel)))
        .orElseThrow();
  }

  /** The square of how far two colours are apart. */
  private static int distance(int a, int b) {
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      int difference = (a >> shift & 0xFF) - (b >> shift & 0xFF);
      sum += difference * difference;
    }
    return sum;
  }
}
