/** The conditions for allowing an approval. */
interface AllowConditions {
  readonly answerable: boolean;
  readonly armed: boolean;
  /** The size of input that is still folded, such as "84 lines". */
  readonly unopened?: string | undefined;
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
  const { answerable, armed, unopened, unconfirmed, edit } = conditions;
  if (!answerable) return { open: false };
  if (edit === "invalid") return { open: false, words: "The edit can't run yet" };
  if (edit === "unchanged") return { open: false, words: "Nothing is changed yet" };
  if (unopened !== undefined) return { open: false, words: `Open all ${unopened} to allow` };
  if (unconfirmed) return { open: false, words: "Confirm that you have read it to allow" };
  if (!armed) return { open: false };
  return { open: true };
}
