import type { Unshown } from "../../parts/unshown.tsx";
import type { Say } from "../../words/use-words.ts";

/** The conditions for allowing an approval. */
interface AllowConditions {
  readonly answerable: boolean;
  readonly armed: boolean;
  readonly unshown?: Unshown | undefined;
  /** The tool requires a deliberate yes that has not been given yet. */
  readonly unconfirmed: boolean;
  readonly edit: "none" | "unchanged" | "invalid" | "changed";
}

export type AllowGate =
  | { readonly open: true; readonly words?: undefined; readonly moves?: undefined }
  /** `words` tells the person how to open it; absent if it opens on its own. */
  | ({ readonly open: false } & Partial<Unshown>);

/** Whether Allow can be pressed. If in doubt, it cannot. */
export function toAllowGate(conditions: AllowConditions, say: Say): AllowGate {
  const { answerable, armed, unshown, unconfirmed, edit } = conditions;
  if (!answerable) return { open: false };
  if (edit === "invalid") return { open: false, words: say("Fix the edit first") };
  if (edit === "unchanged") return { open: false, words: say("No changes yet") };
  if (unshown !== undefined) return { open: false, ...unshown };
  if (unconfirmed) return { open: false, words: say("To allow, confirm that you have read it") };
  if (!armed) return { open: false };
  return { open: true };
}
