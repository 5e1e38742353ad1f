package dev.weir.config.internal.key;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.config.internal.key.KeyGroup.Kind;
import dev.weir.config.internal.key.ValueType.Amount;
import dev.weir.config.internal.key.ValueType.AnyOf;
import dev.weir.config.internal.key.ValueType.ByName;
import dev.weir.config.internal.key.ValueType.Choice;
import dev.weir.config.internal.key.ValueType.Count;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Form;
import dev.weir.config.internal.key.ValueType.Instance;
import dev.weir.config.internal.key.ValueType.Items;
import dev.weir.config.internal.key.ValueType.JsonObject;
import dev.weir.config.internal.key.ValueType.Length;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.config.internal.key.ValueType.Text;
import dev.weir.config.internal.key.ValueType.Whole;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the JSON Schema of a group of keys. It is for editors: it accepts every valid file, and
 * leaves what one value says of another to the readers. Each compound type has one definition.
 */
final class KeySchema {

  private static final String VARIABLE = "variable";
  private static final String UNDERSCORED = "^\\s*\\+?[0-9]+(_[0-9]+)*\\s*$";
  private static final Pattern CLASS_NAME = Pattern.compile("\\S+");

  private final Map<ValueType<?>, String> names = new LinkedHashMap<>();
  private final Map<String, Object> definitions = new LinkedHashMap<>();

  private KeySchema() {}

  static String of(KeyGroup root) {
    try {
      Object schema = new KeySchema().root(root);
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, Object> root(KeyGroup keys) {
    definitions.put(VARIABLE, text("\\$\\{"));
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "weir.yaml");
    schema.put("description", "The configuration of Weir, which limits the rate of requests.");
    schema.putAll(ofGroup(keys));
    schema.put("$defs", definitions);
    return schema;
  }

  private Map<String, Object> ofGroup(KeyGroup group) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Key<?> key : group.keys()) {
      Map<String, Object> property = map("description", KeyPage.meaning(key, group));
      property.putAll(ofType(key.type(), key.name()));
      properties.put(key.name(), property);
    }
    Map<String, Object> schema = map("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    if (!group.required().isEmpty()) {
      schema.put("required", names(group.required()));
    }
    if (!group.kinds().isEmpty()) {
      schema.put("oneOf", group.kinds().stream().map(kind -> ofKind(kind, group)).toList());
    }
    return schema;
  }

  /** Requires what maps of this kind must have, and refuses what belongs to others. */
  private static Map<String, Object> ofKind(Kind kind, KeyGroup group) {
    List<Key<?>> required = new ArrayList<>(kind.required());
    required.add(0, kind.key());
    Stream<Key<?>> allowed =
        group.keys().stream()
            .filter(key -> kind.keys().contains(key) || group.kindsWith(key).isEmpty());
    Map<String, Object> schema = map("required", names(required));
    schema.put("propertyNames", map("enum", names(allowed.toList())));
    return schema;
  }

  private static List<String> names(List<Key<?>> keys) {
    return keys.stream().map(Key::name).toList();
  }

  /**
   * @param name a name for its definition, if it has none yet
   */
  private Map<String, Object> ofType(ValueType<?> type, String name) {
    boolean isCompound =
        type instanceof Mapping
            || type instanceof Items
            || type instanceof ByName
            || type instanceof AnyOf;
    if (!isCompound) {
      return anyOf(Stream.concat(ofScalar(type), Stream.of(reference(VARIABLE))).toList());
    }
    if (!names.containsKey(type)) {
      String unique = names.containsValue(name) ? name + names.size() : name;
      names.put(type, unique);
      definitions.put(unique, ofCompound(type, unique));
    }
    return reference(String.valueOf(names.get(type)));
  }

  private Map<String, Object> ofCompound(ValueType<?> type, String name) {
    if (type instanceof Mapping mapping) {
      return ofGroup(mapping.keys());
    }
    if (type instanceof Items items) {
      Map<String, Object> each = ofType(items.each(), name + "-item");
      Map<String, Object> list = map("type", "array");
      list.put("items", each);
      list.put("minItems", 1);
      return anyOf(List.of(each, list));
    }
    if (type instanceof ByName byName) {
      Map<String, Object> names = map("type", "object");
      names.put("additionalProperties", ofType(byName.each(), name + "-each"));
      return names;
    }
    return anyOf(
        ((AnyOf) type).types().stream().map(some -> ofType(some, name + "-form")).toList());
  }

  private static Stream<Map<String, Object>> ofScalar(ValueType<?> type) {
    if (type instanceof Whole whole) {
      return number(whole.least(), whole.most());
    }
    if (type instanceof Count count) {
      return number(count.least(), count.most());
    }
    if (type instanceof Amount) {
      return Stream.concat(number(1, Long.MAX_VALUE), form(Forms.SIZE));
    }
    if (type instanceof Flag flag) {
      return form(Pattern.compile(flag.on() + "|" + flag.off()));
    }
    if (type instanceof Choice<?> choice) {
      return form(Pattern.compile(String.join("|", KeyPage.words(choice))));
    }
    if (type instanceof Length) {
      return form(Forms.LENGTH);
    }
    if (type instanceof Instance) {
      return form(CLASS_NAME);
    }
    if (type instanceof JsonObject) {
      return Stream.of(map("type", "object"));
    }
    return form(type instanceof Text text ? text.form() : ((Form) type).form());
  }

  private static Stream<Map<String, Object>> number(long least, long most) {
    Map<String, Object> number = map("type", "integer");
    number.put("minimum", least);
    if (most < Long.MAX_VALUE) {
      number.put("maximum", most);
    }
    return Stream.of(number, text(UNDERSCORED));
  }

  /** Returns a text of this form. YAML takes some texts for numbers, flags or nothing. */
  private static Stream<Map<String, Object>> form(Pattern form) {
    Stream.Builder<Map<String, Object>> types = Stream.builder();
    types.add(text("^\\s*(" + form.pattern() + ")\\s*$"));
    if (Stream.of("401", "503").anyMatch(number -> form.matcher(number).matches())
        || form.matcher("1234567890123456").matches()) {
      types.add(map("type", "number"));
    }
    if (form.matcher("true").matches()) {
      types.add(map("type", "boolean"));
    }
    if (form.matcher("").matches()) {
      types.add(map("type", "null"));
    }
    return types.build();
  }

  private static Map<String, Object> text(String pattern) {
    Map<String, Object> text = map("type", "string");
    text.put("pattern", pattern);
    return text;
  }

  private static Map<String, Object> reference(String name) {
    return map("$ref", "#/$defs/" + name);
  }

  private static Map<String, Object> anyOf(List<Map<String, Object>> schemas) {
    return schemas.size() == 1 ? schemas.get(0) : map("anyOf", schemas);
  }

  /** Returns a map in whose order the schema is written. */
  private static Map<String, Object> map(String key, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, value);
    return map;
  }
}
