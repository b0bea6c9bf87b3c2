import type { AgentInfo } from "@holdpoint/protocol";

export const DEFAULT_MODE = "default";
const ACCEPT_EDITS_MODE = "acceptEdits";

export const PERMISSION_MODES: AgentInfo["permissionModes"] = [
  { mode: DEFAULT_MODE, label: "Ask before acting", description: "Every edit waits for you." },
  {
    mode: ACCEPT_EDITS_MODE,
    label: "Accept edits",
    description: "Edits in the demo's own folder pass without asking. Questions still ask.",
  },
];

export function isPermissionMode(mode: string): boolean {
  return PERMISSION_MODES.some((known) => known.mode === mode);
}

/** Whether an edit in the scratch folder passes, and why. A mode that is not known asks. */
export function decideEdit(facts: {
  readonly mode: string;
  readonly allowedForSession: boolean;
}): "ask" | "session" | "mode" {
  if (facts.mode === ACCEPT_EDITS_MODE) return "mode";
  return facts.allowedForSession ? "session" : "ask";
}
