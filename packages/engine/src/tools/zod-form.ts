import { z } from "zod";

/** Formats that a form checks itself. The patterns that zod has for them are in a different syntax. */
const CHECKED_FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

export function isZodForm(schema: object): schema is z.ZodType {
  return "_zod" in schema;
}

/**
 * The form as a schema of the supported subset, yet to be checked. Throws `TypeError` for a schema that no form can ask
 * for.
 */
export function formFromZod(form: z.ZodType): Readonly<Record<string, unknown>> {
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(form, {
      io: "input",
      reused: "inline",
      override: ({ jsonSchema }) => simplify(jsonSchema),
    });
    return schema;
  } catch (error: unknown) {
    throw new TypeError("`inputSchema` is a zod schema that cannot be shown as a form.", {
      cause: error,
    });
  }
}

export type ReadValues =
  | { readonly values: Readonly<Record<string, unknown>> }
  /** Errors for the person, by field where possible. */
  | {
      readonly error?: string;
      readonly fieldErrors?: Readonly<Record<string, string>>;
    };

/** The values that a person sent, as parsed by zod: refined, transformed, and with its defaults. */
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
  // Limits that apply to every integer are not worth showing to a person.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
