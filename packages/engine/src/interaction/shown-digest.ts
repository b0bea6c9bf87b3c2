import type { Interaction } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";

/**
 * The digest of the content that a person was shown. For an approval it covers the call that would run, not its
 * presentation, which may change.
 */
export function shownDigestOf({
  approval,
  questions,
  form,
}: Pick<Interaction, "approval" | "questions" | "form">): string {
  return approval?.digest ?? hashOf(JSON.parse(JSON.stringify({ questions, form })));
}
