import type { Approval, FileChange } from "@holdpoint/protocol";

/** The input of an approval in the form that a person reads best. No part of it is left out. */
export type ApprovalSubject =
  | {
      readonly type: "change";
      readonly change: FileChange;
      /** The exact input that makes the change. */
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "command";
      readonly command: string;
      /** The agent's description of the command, which is part of the input. */
      readonly description?: string;
      /** The rest of the input; absent when there is none. */
      readonly further?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "json"; readonly input: Readonly<Record<string, unknown>> };

export function toApprovalSubject(approval: Approval): ApprovalSubject {
  const { input, change } = approval;
  if (change !== undefined) return { type: "change", change, input };
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

/** A longer text is folded at first, and has to be opened before it can be allowed. */
const MAX_UNFOLDED_LINES = 20;
const MAX_UNFOLDED_LENGTH = 1600;

export function countLines(text: string): number {
  return text.split("\n").length;
}

export function isLongText(text: string): boolean {
  return text.length > MAX_UNFOLDED_LENGTH || countLines(text) > MAX_UNFOLDED_LINES;
}

/** Rows of a diff that stay unfolded. */
export const MAX_UNFOLDED_ROWS = 30;
