/** The conditions for allowing an approval. */
interface AllowConditions {
  readonly answerable: boolean;
  readonly armed: boolean;
  /** How the person gets to see what is not shown yet, such as "Open all 84 lines to allow". */
  readonly unshown?: string | undefined;
  /** The tool wants a deliberate yes, and it was not given yet. */
  readonly unconfirmed: boolean;
  readonly edit: "none" | "unchanged" | "invalid" | "changed";
}

export type AllowGate =
  | { readonly open: true }
  /** `words`: what the person can do about it; absent where it opens by itself. */
  | { readonly open: false; readonly words?: string };

/** Whether Allow can be pressed. In doubt it stays shut. */
export function toAllowGate(conditions: AllowConditions): AllowGate {
  const { answerable, armed, unshown, unconfirmed, edit } = conditions;
  if (!answerable) return { open: false };
  if (edit === "invalid") return { open: false, words: "The edit can't run yet" };
  if (edit === "unchanged") return { open: false, words: "Nothing is changed yet" };
  if (unshown !== undefined) return { open: false, words: unshown };
  if (unconfirmed) return { open: false, words: "Confirm that you have read it to allow" };
  if (!armed) return { open: false };
  return { open: true };
}
