import type { AgentInfo } from "@holdpoint/protocol";

export const DEFAULT_MODE = "default";
const ACCEPT_EDITS_MODE = "acceptEdits";

export const PERMISSION_MODES: AgentInfo["permissionModes"] = [
  { mode: DEFAULT_MODE, label: "Ask before acting", description: "Every edit waits for you." },
  {
    mode: ACCEPT_EDITS_MODE,
    label: "Accept edits",
    description: "Edits in the demo's own folder run without asking. Questions are still asked.",
  },
];

export function isPermissionMode(mode: string): boolean {
  return PERMISSION_MODES.some((known) => known.mode === mode);
}

/** Whether edits in the scratch folder pass without asking. An unknown mode asks. */
export function passesEdits(mode: string): boolean {
  return mode === ACCEPT_EDITS_MODE;
}
