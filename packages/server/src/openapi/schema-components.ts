import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** The named schemas of a document, each defined once. */
export class SchemaComponents {
  readonly #registry = z.registry<{ id: string }>();
  readonly #names = new Map<z.ZodType, string>();

  constructor(schemas: Readonly<Record<string, z.ZodType>>) {
    for (const [name, schema] of Object.entries(schemas)) {
      this.#registry.add(schema, { id: name });
      this.#names.set(schema, name);
    }
  }

  /** Returns a reference to a named schema, or the inlined schema if it has no name. */
  refer(schema: z.ZodType): JsonSchema {
    const name = this.#names.get(schema);
    return name === undefined
      ? withoutKeywords(z.toJSONSchema(schema, { io: "input" }))
      : { $ref: locationOf(name) };
  }

  toJson(): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, { io: "input", uri: locationOf });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, withoutKeywords(schema)]),
    );
  }
}

function locationOf(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Removes keywords that are redundant in an OpenAPI document: the dialect is known, and a location is not an
 * identifier.
 */
function withoutKeywords({ $schema: _dialect, $id: _location, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
