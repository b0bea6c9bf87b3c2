import type { Approval } from "@holdpoint/protocol";

import { toEditSubject, toEditText, WHOLE_INPUT } from "./approval-edit.ts";

type Input = Approval["input"];

/** Both inputs as texts to compare: the only field that differs, if it is text; otherwise the whole inputs. */
export function toEditDifference(
  before: Input,
  after: Input,
): { readonly before: string; readonly after: string } {
  const subject = toEditSubject(before, false);
  const { field } = subject;
  const isAlone =
    field !== undefined &&
    typeof after[field] === "string" &&
    JSON.stringify({ ...before, [field]: after[field] }) === JSON.stringify(after);
  const shown = isAlone ? subject : WHOLE_INPUT;
  return { before: `${toEditText(before, shown)}\n`, after: `${toEditText(after, shown)}\n` };
}
