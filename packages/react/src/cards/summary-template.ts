import type { InteractionResponse } from "@holdpoint/protocol";

/** A tool's one-line summary: `{{action}}`, `{{reason}}` and the names of form values are filled in. */
export function fillTemplate(template: string, response: InteractionResponse): string {
  const known: Record<string, unknown> = {
    ...response.values,
    action: response.action,
    reason: response.reason,
  };
  return template.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(known, name) ? toWords(known[name]) : whole,
  );
}

function toWords(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.map(toWords).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
