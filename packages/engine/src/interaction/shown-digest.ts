import type { Interaction } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";

/** The digest of what a person was shown. An approval's own covers what would run; how it is shown may change. */
export function shownDigestOf({
  approval,
  questions,
  form,
}: Pick<Interaction, "approval" | "questions" | "form">): string {
  return approval?.digest ?? hashOf(JSON.parse(JSON.stringify({ questions, form })));
}
