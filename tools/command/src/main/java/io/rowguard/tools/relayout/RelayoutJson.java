package io.rowguard.tools.relayout;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import io.rowguard.layout.RowText;

/** The outcome of a step as JSON: the components of its record, keys as text. */
final class RelayoutJson {
  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .disableHtmlEscaping()
          .setPrettyPrinting()
          .setFieldNamingStrategy(field -> withoutIs(field.getName()))
          .registerTypeAdapter(
              byte[].class,
              (JsonSerializer<byte[]>)
                  (key, type, context) -> new JsonPrimitive(RowText.toStringBinary(key)))
          .create();

  private RelayoutJson() {}

  private static String withoutIs(String name) {
    return name.length() > 2 && name.startsWith("is") && Character.isUpperCase(name.charAt(2))
        ? Character.toLowerCase(name.charAt(2)) + name.substring(3)
        : name;
  }

  static String text(Object outcome) {
    return GSON.toJson(outcome);
  }
}
