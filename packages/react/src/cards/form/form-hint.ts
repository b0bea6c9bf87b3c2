import type { Say } from "../../words/use-words.ts";
import type { DisplayField } from "./display-fields.ts";
import { toOffset } from "./local-date-time.ts";

/** Help that the tool itself does not give: limits, time zone, secrecy. */
export function toFieldHint(field: DisplayField, say: Say): string | undefined {
  const { schema, control, isForServer = false } = field;
  switch (control) {
    case "secret":
      return isForServer
        ? say(
            "It goes through the agent’s program to the server. It is not shown again or stored here.",
          )
        : say("Only the agent gets this. It is not shown again or stored.");
    case "date_time":
      return say("In this device’s time zone, UTC{offset}.", { offset: toOffset(new Date()) });
    case "checkboxes":
      return schema.type === "array" ? toCountHint(schema, say) : undefined;
    case "number":
      return schema.type === "number" || schema.type === "integer"
        ? toRangeHint(schema, say)
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

function toCountHint({ minItems = 0, maxItems }: Count, say: Say): string | undefined {
  if (maxItems === undefined) {
    return minItems > 1 ? say("Choose at least {n}.", { n: minItems }) : undefined;
  }
  if (minItems === maxItems) return say("Choose {n}.", { n: maxItems });
  return minItems > 1
    ? say("Choose {least} to {most}.", { least: minItems, most: maxItems })
    : say("Choose at most {n}.", { n: maxItems });
}

interface Range {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Omits limits that only reflect the range of a computer's numbers. */
function toRangeHint(
  { minimum = -Infinity, maximum = Infinity }: Range,
  say: Say,
): string | undefined {
  const hasLeast = minimum > Number.MIN_SAFE_INTEGER;
  const hasMost = maximum < Number.MAX_SAFE_INTEGER;
  if (hasLeast && hasMost) {
    return say("From {least} to {most}.", { least: `${minimum}`, most: `${maximum}` });
  }
  if (hasLeast) return say("{n} or more.", { n: `${minimum}` });
  return hasMost ? say("{n} or less.", { n: `${maximum}` }) : undefined;
}
