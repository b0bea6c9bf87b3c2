import type { DisplayField } from "./display-fields.ts";
import { toOffset } from "./local-date-time.ts";

/** Help for a field that the tool does not give itself: limits, time zone, secrecy. */
export function toFieldHint({ schema, control }: DisplayField): string | undefined {
  switch (control) {
    case "secret":
      return "Only the agent gets this. It is not shown again or stored.";
    case "date_time":
      return `In this device’s time zone, UTC${toOffset(new Date())}.`;
    case "checkboxes":
      return schema.type === "array" ? toCountHint(schema) : undefined;
    case "number":
      return schema.type === "number" || schema.type === "integer"
        ? toRangeHint(schema)
        : undefined;
    case "text":
    case "long_text":
    case "date":
    case "yes_no":
    case "checkbox":
    case "radios":
    case "select":
      return undefined;
  }
}

interface Count {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

function toCountHint({ minItems = 0, maxItems }: Count): string | undefined {
  if (maxItems === undefined) return minItems > 1 ? `Choose at least ${minItems}.` : undefined;
  if (minItems === maxItems) return `Choose ${maxItems}.`;
  return minItems > 1 ? `Choose ${minItems} to ${maxItems}.` : `Choose at most ${maxItems}.`;
}

interface Range {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Limits that only say what a computer can hold are no help. */
function toRangeHint({ minimum = -Infinity, maximum = Infinity }: Range): string | undefined {
  const hasLeast = minimum > Number.MIN_SAFE_INTEGER;
  const hasMost = maximum < Number.MAX_SAFE_INTEGER;
  if (hasLeast && hasMost) return `From ${minimum} to ${maximum}.`;
  if (hasLeast) return `${minimum} or more.`;
  return hasMost ? `${maximum} or less.` : undefined;
}
