import {
  isSensitiveField,
  parseFormSchema,
  ProtocolError,
  readVisitAddress,
  type Form,
  type FormSchema,
} from "@holdpoint/protocol";

import type { FormRequest } from "../../ports/agent-adapter.ts";
import { compilePattern } from "./pattern.ts";

/** The form as shown to everyone. Throws a `ProtocolError` for a schema that cannot be shown or checked. */
export function createForm({
  schema,
  said,
  order,
  initialValues,
  server,
  visit,
}: FormRequest): Form {
  const parsed = parseFormSchema(schema);
  assertPatterns(parsed);
  for (const name of order ?? []) {
    if (!Object.hasOwn(parsed.properties, name)) {
      throw invalid("order", "It names an unknown field.");
    }
  }
  return {
    schema: parsed,
    ...(said && { said }),
    ...(order && { order: [...order] }),
    ...(initialValues && { initialValues: showable(parsed, initialValues) }),
    ...(server && { server: { ...server } }),
    ...(visit && { visit: { url: toVisitUrl(visit.url) } }),
  };
}

function assertPatterns({ properties }: FormSchema): void {
  for (const [name, field] of Object.entries(properties)) {
    const pattern = "pattern" in field ? field.pattern : undefined;
    if (pattern !== undefined && !compilePattern(pattern)) {
      throw invalid(
        `properties.${name}.pattern`,
        "Use RE2 syntax, and a smaller pattern if this one is large.",
      );
    }
  }
}

function toVisitUrl(url: string): string {
  const read = readVisitAddress(url);
  if ("problem" in read) throw new ProtocolError("INVALID_REQUEST", read.problem);
  return read.address.href;
}

/** Every client sees a form, so no secret is filled in. */
function showable(
  { properties }: FormSchema,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shown = Object.entries(values).filter(
    ([name]) => Object.hasOwn(properties, name) && !isSensitiveField(properties[name]),
  );
  return Object.fromEntries(shown);
}

function invalid(path: string, problem: string): ProtocolError {
  return new ProtocolError("INVALID_REQUEST", `This form cannot be shown: ${path}: ${problem}`, {
    fieldErrors: { [path]: problem },
  });
}
