import type { PermissionMode } from "@anthropic-ai/claude-agent-sdk";
import type { AgentInfo } from "@holdpoint/protocol";

const MODES = {
  default: {
    label: "Ask before acting",
    description: "Asks before it changes files, runs commands or uses the network.",
  },
  acceptEdits: {
    label: "Accept edits",
    description: "Changes files in its folder without asking; asks for the rest.",
  },
  plan: {
    label: "Plan first",
    description: "Only reads until you have approved its plan.",
  },
  auto: {
    label: "Automatic",
    description:
      "A model of the service judges each action. Actions that it cannot judge are asked about or refused.",
  },
  dontAsk: {
    label: "Never ask",
    description:
      "Refuses anything your rules do not allow, without asking. Questions are still asked.",
  },
  bypassPermissions: {
    label: "Allow everything",
    description:
      "Runs everything without asking. Questions are still asked. For throwaway machines only.",
    endsInto: "default",
  },
} as const satisfies Record<PermissionMode, Omit<AgentInfo["permissionModes"][number], "mode">>;

/** The mode that asks; unknown modes are treated as this one. */
export const ASKING_MODE: PermissionMode = "default";

/** The mode that allows everything, for the time that a person has set. */
export const ALLOWING_MODE: PermissionMode = "bypassPermissions";

export interface ModeConditions {
  /** False as the superuser outside a sandbox: the runtime then refuses to skip permissions. */
  readonly canBypass: boolean;
}

export function listPermissionModes({ canBypass }: ModeConditions): AgentInfo["permissionModes"] {
  return Object.entries(MODES)
    .filter(([mode]) => canBypass || mode !== "bypassPermissions")
    .map(([mode, info]) => ({ mode, ...info }));
}

/** The runtime's mode with this name; `undefined` if it is not available here. */
export function findPermissionMode(
  mode: string,
  { canBypass }: ModeConditions,
): PermissionMode | undefined {
  if (!Object.hasOwn(MODES, mode)) return undefined;
  return mode === "bypassPermissions" && !canBypass ? undefined : (mode as PermissionMode);
}

export function labelOfMode(mode: PermissionMode): string {
  return Object.hasOwn(MODES, mode) ? MODES[mode].label : mode;
}

/** Reads the conditions for modes from the agent's environment. */
export function readModeConditions(
  environment: Readonly<Record<string, string | undefined>>,
  userId: number | undefined,
): ModeConditions {
  return { canBypass: userId !== 0 || environment["IS_SANDBOX"] === "1" };
}
