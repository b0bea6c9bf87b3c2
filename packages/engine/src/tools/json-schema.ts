export type JsonSchema = Readonly<Record<string, unknown>>;

// Published schemas can express more than zod can check. The check leaves those parts out, so that it accepts every
// valid value. The agent reads the schema as it was published.
const UNCHECKED: ReadonlySet<string> = new Set(
  "$schema if then else not dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems".split(
    " ",
  ),
);
/** Formats that zod checks with their intended meaning. */
const FORMATS: ReadonlySet<unknown> = new Set(
  "email uri date date-time time duration uuid ipv4 ipv6".split(" "),
);
const BY_NAME: ReadonlySet<string> = new Set("properties patternProperties $defs".split(" "));
const IN_LIST: ReadonlySet<string> = new Set("anyOf oneOf allOf prefixItems items".split(" "));
const ALONE: ReadonlySet<string> = new Set(
  "items additionalProperties additionalItems contains propertyNames".split(" "),
);
/** Models refuse these at the top level of a tool's schema. */
const JOINS = ["anyOf", "oneOf", "allOf"] as const;

const DEFINITIONS = /^#\/definitions\//;

/** The part of the schema that zod can check. It accepts every value that the schema accepts. */
export function toCheckable(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const { definitions, $ref: ref, ...rest } = schema;
  if (typeof ref === "string" && !ref.startsWith("#")) return {};
  // Both names are in use, whatever version a schema declares.
  const named = isSchema(definitions) && {
    $defs: { ...definitions, ...(rest["$defs"] as object | undefined) },
  };
  const link = typeof ref === "string" && { $ref: ref.replace(DEFINITIONS, "#/$defs/") };
  const parts = Object.entries({ ...rest, ...named, ...link });
  return Object.fromEntries(
    parts
      .filter(([word, value]) => isCheckable(word, value))
      .map(([word, value]) => [word === "oneOf" ? "anyOf" : word, checkablePart(word, value)]),
  );
}

function isCheckable(word: string, value: unknown): boolean {
  if (UNCHECKED.has(word)) return false;
  if (word === "format") return FORMATS.has(value);
  return word !== "pattern" || isPattern(value);
}

function checkablePart(word: string, value: unknown): unknown {
  if (BY_NAME.has(word) && isSchema(value)) {
    const parts = Object.entries(value).map(([name, part]) => [name, toCheckable(part)] as const);
    const isPatterns = word === "patternProperties";
    return Object.fromEntries(parts.filter(([name]) => !isPatterns || isPattern(name)));
  }
  if (IN_LIST.has(word) && Array.isArray(value)) return value.map(toCheckable);
  return ALONE.has(word) ? toCheckable(value) : value;
}

/** Python and PCRE have patterns that JavaScript does not have. */
function isPattern(pattern: unknown): boolean {
  try {
    return RegExp(String(pattern), "u").source !== "";
  } catch {
    return false;
  }
}

/** The schema for an agent: the published one, with the properties of its joined parts merged. */
export function toAgentSchema(published: JsonSchema): JsonSchema {
  const { $schema: _, ...schema } = published;
  const parts = JOINS.flatMap((join) => partsOf(schema, join));
  const properties = [...parts, schema].map((part) => part["properties"]).filter(isSchema);
  const required = [schema, ...partsOf(schema, "allOf")].flatMap((part) => part["required"] ?? []);
  const rest = Object.entries(schema).filter(([word]) => !JOINS.some((join) => join === word));
  return {
    ...Object.fromEntries(rest),
    type: "object",
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as JsonSchema }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** A message about missing arguments that the top level of the schema requires and zod does not check. */
export function missingIn(schema: JsonSchema, args: object): string | undefined {
  for (const [name, needed] of Object.entries(schema["dependentRequired"] ?? {})) {
    const absent =
      Object.hasOwn(args, name) && namesIn(needed).find((need) => !Object.hasOwn(args, need));
    if (typeof absent === "string") return `${name} needs ${absent} as well.`;
  }
  for (const join of ["anyOf", "oneOf"] as const) {
    const choices = partsOf(schema, join).map((part) => namesIn(part["required"]));
    const fits = choices.some((names) => names.every((name) => Object.hasOwn(args, name)));
    if (choices.length > 0 && !fits) {
      return `Give ${choices.map((names) => names.join(" and ")).join(", or ")}.`;
    }
  }
  return undefined;
}

function partsOf(schema: JsonSchema, join: string): JsonSchema[] {
  const parts = schema[join];
  return Array.isArray(parts) ? parts.filter(isSchema) : [];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
