/** What a person has typed into an approval without sending it. */
export interface ApprovalDraft {
  readonly reason: string;
  /** The editor's text while it is open; absent while it is not. */
  readonly editText?: string;
  /** The digest of the input that is edited: an edit of something else is void. */
  readonly digest: string;
}

export function createApprovalDraft(digest: string): ApprovalDraft {
  return { reason: "", digest };
}

/** A stored draft, if it is about the same input. */
export function parseApprovalDraft(digest: string, stored: unknown): ApprovalDraft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { reason, editText, digest: of } = stored as Record<string, unknown>;
  if (typeof reason !== "string") return undefined;
  if (of !== digest || typeof editText !== "string") return { reason, digest };
  return { reason, editText, digest };
}
