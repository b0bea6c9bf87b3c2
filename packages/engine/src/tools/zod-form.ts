import { z } from "zod";

/** Formats that a form checks by itself: zod's own patterns for them are in another syntax than the form's. */
const CHECKED_FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

export function isZodForm(schema: object): schema is z.ZodType {
  return "_zod" in schema;
}

/** The form as a schema of the subset, yet to be checked. Throws `TypeError` for what no form can ask. */
export function formFromZod(form: z.ZodType): Readonly<Record<string, unknown>> {
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(form, {
      io: "input",
      reused: "inline",
      override: ({ jsonSchema }) => simplify(jsonSchema),
    });
    return schema;
  } catch (error: unknown) {
    throw new TypeError("`inputSchema` is a zod schema that no form can ask.", { cause: error });
  }
}

export type ReadValues =
  | { readonly values: Readonly<Record<string, unknown>> }
  /** What the person is told, at the field where it has one. */
  | {
      readonly error?: string;
      readonly fieldErrors?: Readonly<Record<string, string>>;
    };

/** What zod makes of the values that a person has sent: refined, transformed, with its defaults. */
export async function readByZod(form: z.ZodType, values: unknown): Promise<ReadValues> {
  const result = await z.safeParseAsync(form, values);
  if (result.success) {
    return { values: result.data as Readonly<Record<string, unknown>> };
  }
  const { issues } = result.error;
  const whole = issues.filter(({ path }) => path.length === 0).map(({ message }) => message);
  const atFields = issues.filter(({ path }) => path.length > 0);
  return {
    ...(whole.length > 0 && { error: whole.join(" ") }),
    ...(atFields.length > 0 && {
      fieldErrors: Object.fromEntries(
        atFields.map(({ path: [field], message }) => [String(field), message]),
      ),
    }),
  };
}

function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (CHECKED_FORMATS.has(schema.format)) delete schema.pattern;
  if (schema.type !== "integer") return;
  // What every integer has is no limit that a person should read.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
