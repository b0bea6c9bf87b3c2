import type { Approval, FileChange } from "@holdpoint/protocol";

import { isPlan } from "../shared/card-title.ts";

/** The input of an approval in its most readable form. No part of it is left out. */
export type ApprovalSubject =
  | {
      readonly type: "change";
      readonly change: FileChange;
      /** The exact input that makes the change. */
      readonly input: Readonly<Record<string, unknown>>;
      /** The fields of the input that the change does not show; absent if it shows all. */
      readonly further?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "command";
      readonly command: string;
      /** The agent's description of the command, which is part of the input. */
      readonly description?: string;
      /** The rest of the input; absent if there is none. */
      readonly further?: Readonly<Record<string, unknown>>;
    }
  | {
      /** Markdown. */
      readonly type: "plan";
      readonly plan: string;
      readonly further?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "json"; readonly input: Readonly<Record<string, unknown>> };

export function toApprovalSubject(approval: Approval, toolName = ""): ApprovalSubject {
  const { input, change } = approval;
  if (isPlan(toolName, input)) {
    const { plan, ...others } = input;
    const further = Object.keys(others).length > 0 && { further: others };
    return { type: "plan", plan: plan as string, ...further };
  }
  if (change !== undefined) return toChangeSubject(change, input);
  const { command, description, ...others } = input;
  if (typeof command !== "string") return { type: "json", input };
  const described = typeof description === "string";
  const further = described || description === undefined ? others : { ...others, description };
  return {
    type: "command",
    command,
    ...(described && { description }),
    ...(Object.keys(further).length > 0 && { further }),
  };
}

function toChangeSubject(change: FileChange, input: Approval["input"]): ApprovalSubject {
  const further = Object.entries(input).filter((field) => !isInChange(change, field));
  return {
    type: "change",
    change,
    input,
    ...(further.length > 0 && { further: Object.fromEntries(further) }),
  };
}

/** Input fields with the path of the file that a tool changes. */
export const PATH_FIELDS = ["file_path", "path", "filePath", "notebook_path"];
const AFTER_FIELDS = ["content", "file_text"];
const OLD_FIELDS = ["old_string", "old_str", "oldText"];
const NEW_FIELDS = ["new_string", "new_str", "newText", "new_source"];

/** Whether the change shows this field. If in doubt, the field is shown below the change. */
function isInChange(change: FileChange, [name, value]: readonly [string, unknown]): boolean {
  const { path, before = "", after } = change;
  // The value that it has when an agent leaves it out.
  if (name === "replace_all" && value === false) return true;
  if (name === "edits") return Array.isArray(value) && value.every((edit) => isEdit(change, edit));
  if (typeof value !== "string") return false;
  if (PATH_FIELDS.includes(name)) return value === path;
  if (AFTER_FIELDS.includes(name)) return value === after;
  if (OLD_FIELDS.includes(name)) return before.includes(value);
  return NEW_FIELDS.includes(name) && after.includes(value);
}

function isEdit(change: FileChange, edit: unknown): boolean {
  if (typeof edit !== "object" || edit === null) return false;
  return Object.entries(edit).every((field) => isInChange(change, field));
}

/** A longer text is folded, and must be opened before it can be allowed. */
const MAX_UNFOLDED_LINES = 20;
const MAX_UNFOLDED_LENGTH = 1600;

export function countLines(text: string): number {
  return text.split("\n").length;
}

export function isLongText(text: string): boolean {
  return text.length > MAX_UNFOLDED_LENGTH || countLines(text) > MAX_UNFOLDED_LINES;
}
