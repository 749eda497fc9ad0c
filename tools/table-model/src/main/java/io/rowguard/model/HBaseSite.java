package io.rowguard.model;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The properties of an hbase-site.xml, as far as the model asks for them, by HBase's own names.
 * Immutable. Variables ({@code ${name}}) are not resolved; a value that needs one is refused when
 * it is asked for.
 */
public final class HBaseSite {
  private static final String NO_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";

  private final String source;
  private final Map<String, String> values;

  private HBaseSite(String source, Map<String, String> values) {
    this.source = source;
    this.values = Map.copyOf(values);
  }

  /** No properties: HBase's defaults. */
  public static HBaseSite empty() {
    return new HBaseSite("(defaults)", Map.of());
  }

  /**
   * Reads a file.
   *
   * @throws SimulationException when it cannot be read or is no configuration of Hadoop's form
   */
  public static HBaseSite read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new SimulationException("There is no such file. file=" + file);
    }
    Element root = parse(file.toFile()).getDocumentElement();
    if (!root.getTagName().equals("configuration")) {
      throw new SimulationException(
          "The file is no hbase-site.xml: its root is not <configuration>. file="
              + file
              + " root="
              + root.getTagName());
    }
    Map<String, String> values = new HashMap<>();
    NodeList properties = root.getElementsByTagName("property");
    for (int i = 0; i < properties.getLength(); i++) {
      Element property = (Element) properties.item(i);
      String name = text(property, "name");
      String value = text(property, "value");
      if (name != null && value != null && !value.isEmpty()) {
        values.put(name, value);
      }
    }
    return new HBaseSite(file.toString(), values);
  }

  private static Document parse(File file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature(NO_DOCTYPE, true);
      factory.setExpandEntityReferences(false);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(file);
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new SimulationException(
          "The file cannot be read as XML. file=" + file + " why=" + e.getMessage(), e);
    }
  }

  private static String text(Element property, String tag) {
    NodeList found = property.getElementsByTagName(tag);
    return found.getLength() == 0 ? null : found.item(0).getTextContent().strip();
  }

  /** The value of a property, or null. */
  String text(String name) {
    return values.get(name);
  }

  /**
   * A whole number.
   *
   * @throws SimulationException when the property is none, or out of bounds
   */
  long number(String name, long otherwise, long least, long most) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      // As Hadoop reads it, hexadecimal too.
      long number = Long.decode(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a whole number", e);
    }
    throw wrong(name, value, "a number from " + least + " to " + most, null);
  }

  /** As {@link #number}, with a fraction. */
  double fraction(String name, double otherwise, double least, double most) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, value, "a number", e);
    }
    throw wrong(name, value, "a number from " + least + " to " + most, null);
  }

  /** The last part of a class name, or null. */
  String simpleClassName(String name) {
    String value = values.get(name);
    return value == null ? null : value.substring(value.lastIndexOf('.') + 1);
  }

  /** The exception about a value that cannot be used. */
  SimulationException wrong(String name, String value, String expected, Exception cause) {
    return new SimulationException(
        "A property cannot be used; mend it. property="
            + name
            + " value=\""
            + value
            + "\" expected="
            + expected
            + " file="
            + source,
        cause);
  }
}
