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
      "A model of the service judges each action; what it cannot judge is asked or refused.",
  },
  dontAsk: {
    label: "Never ask",
    description: "Refuses what your rules do not allow, without asking. Questions still come.",
  },
  bypassPermissions: {
    label: "Allow everything",
    description:
      "Runs everything without asking. Questions still come. For throw-away machines only.",
    endsInto: "default",
  },
} as const satisfies Record<PermissionMode, Omit<AgentInfo["permissionModes"][number], "mode">>;

/** The mode that asks; whatever is not known is treated as this one. */
export const ASKING_MODE: PermissionMode = "default";

/** The mode that allows everything, for as long as a person has said. */
export const ALLOWING_MODE: PermissionMode = "bypassPermissions";

export interface ModeConditions {
  /** The runtime refuses to work without permissions as the superuser outside of a sandbox. */
  readonly canBypass: boolean;
}

export function listPermissionModes({ canBypass }: ModeConditions): AgentInfo["permissionModes"] {
  return Object.entries(MODES)
    .filter(([mode]) => canBypass || mode !== "bypassPermissions")
    .map(([mode, info]) => ({ mode, ...info }));
}

/** The runtime's mode of that name, or `undefined` if it has none here. */
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

/** Reads what decides about the modes from the environment that the agent will get. */
export function readModeConditions(
  environment: Readonly<Record<string, string | undefined>>,
  userId: number | undefined,
): ModeConditions {
  return { canBypass: userId !== 0 || environment["IS_SANDBOX"] === "1" };
}
