import type { query, SettingSource } from "@anthropic-ai/claude-agent-sdk";
import type {
  AgentAdapter,
  AgentOffers,
  AgentSession,
  Clock,
  Ids,
  OpenSessionOptions,
} from "@holdpoint/engine";
import { type AgentInfo, inEnglish, saidOf } from "@holdpoint/protocol";

import type { ProtectedPaths } from "../protection/protected-paths.ts";
import { findUnavailableReason } from "./availability.ts";
import { claudeConfigDir, claudeEnvironment } from "./claude-environment.ts";
import { openClaudeJudges } from "./claude-judges.ts";
import { type ProcessSetup, toOptions, toProbeOptions } from "./claude-options.ts";
import { ClaudeSession } from "./claude-session.ts";
import { withCause } from "./find-cause.ts";
import { createHosting, type HostingOptions } from "./hosting.ts";
import { IdleProcesses } from "./idle-processes.ts";
import { OffersProbe } from "./offers.ts";
import {
  ASKING_MODE,
  findPermissionMode,
  listPermissionModes,
  readModeConditions,
} from "./permission-modes.ts";
import { problemOfEdit } from "./problem-of-edit.ts";
import { parseState } from "./saved-state.ts";
import type { ToolServer } from "./tool-server.ts";

export interface ClaudeAdapterOptions extends HostingOptions {
  /** The gateway's environment. The agent gets only the variables it needs, and never `HOLDPOINT_*`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that the person lets the agent have. */
  readonly environmentNames?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where Claude keeps its settings, login and transcripts; default: `CLAUDE_CONFIG_DIR`, or its own default. */
  readonly configDir?: string;
  /**
   * Which settings files are used. Default: the person's own only. A folder's files could come with a clone, and could
   * name hooks, servers and permissions that the person has not agreed to.
   */
  readonly settingSources?: readonly SettingSource[];
  /** Files and folders that no tool call may reach (`deny`), or change without asking (`ask`). Default: none. */
  readonly protectedPaths?: ProtectedPaths;
  /** Folder for marks of calls that are being checked, read by the next gateway. Default: no marks. */
  readonly checksDir?: string;
  /** Default: the program that comes with the SDK. */
  readonly pathToClaudeCodeExecutable?: string;
  /** Gives each agent process of a session access to the gateway's tools. */
  readonly openTools?: OpenTools;
  /** How long a process idles between turns before it is ended. Default: 10 minutes. */
  readonly idleMs?: number;
  /**
   * How many processes may idle at the same time. Beyond that, the one that has been idle for longest ends. Default: 4.
   */
  readonly maxIdle?: number;
}

/** Opens a tool server for one agent process of a session, until it is disposed. `undefined`: there are no tools. */
export type OpenTools = (sessionId: string) => Promise<ToolServer | undefined>;

const DEFAULT_IDLE_MS = 10 * 60_000;
/** Each process takes about 200 MB. */
const DEFAULT_MAX_IDLE = 4;
const SUGGESTED_PROMPTS = [
  "Look around this folder and tell me what it is about.",
  "Ask me what I want to build, then propose a plan.",
  "Find something small to improve here and show me the change before you make it.",
];
const DESCRIPTION = {
  label: "Claude",
  scripted: false,
  hasModels: true,
  hasCommands: true,
  takesAttachments: true,
  defaultPermissionMode: ASKING_MODE,
  suggestedPrompts: SUGGESTED_PROMPTS,
} as const;

/** Claude through its SDK, which is an optional dependency and is loaded with the first turn. */
export function createClaudeAdapter(options: ClaudeAdapterOptions): AgentAdapter {
  const environment = claudeEnvironment(options.env, options);
  const modeConditions = readModeConditions(environment, process.getuid?.());
  const { pathToClaudeCodeExecutable } = options;
  const given = { ...(pathToClaudeCodeExecutable && { pathToClaudeCodeExecutable }) };
  const hosting = createHosting(options);
  const sessions = new Map<ClaudeSession, string>();
  const idle = new IdleProcesses(options.maxIdle ?? DEFAULT_MAX_IDLE);

  const settingSources = options.settingSources ?? ["user"];
  const protectedPaths = options.protectedPaths ?? { deny: [], ask: [] };
  const { clock, checksDir } = options;
  const judges = openClaudeJudges({ protectedPaths, environment, clock, checksDir });
  const setup = { environment, settingSources, modeConditions, protectedPaths, ...given };

  const probe = new OffersProbe({
    clock: options.clock,
    loadQuery,
    toOptions: (cwd) => toProbeOptions(setup, cwd, hosting?.spawn),
  });

  return {
    commandFields: { Bash: "command" },
    problemOfEdit: ({ editedInput, input, askedBy }) =>
      askedBy === "tool" ? undefined : problemOfEdit(editedInput, input),
    offers: async ({ sessionId, cwd }) => (await offersOf(sessions, sessionId)) ?? probe.read(cwd),
    ...(hosting && { canPark: true }),
    findLive: async () => hosting?.findLive() ?? [],
    describe: () => describeClaude(setup),
    openSession(open: OpenSessionOptions): Promise<AgentSession> {
      const session: ClaudeSession = new ClaudeSession({
        cwd: open.cwd,
        clock: options.clock,
        ids: options.ids,
        mode: findPermissionMode(open.permissionMode, modeConditions) ?? ASKING_MODE,
        model: open.model,
        state: parseState(open.state),
        modeConditions,
        recordDir: hosting && claudeConfigDir(environment),
        idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
        idle,
        loadQuery,
        openTools: async () => options.openTools?.(open.sessionId),
        withCause: (result) =>
          withCause(result, { cwd: open.cwd, executable: pathToClaudeCodeExecutable }),
        noteOfLeft: () => hosting?.noteOf(open.sessionId),
        hasNotActed: async (approved) => hosting?.hasNotActed(open.sessionId, approved),
        prepare: async (isLeft) => hosting?.prepare(open.sessionId, isLeft),
        toOptions: (start, onErrorOutput) => toOptions(setup, start, onErrorOutput),
        judge: judges.judge,
        judgeUnasked: judges.judgeUnasked,
        onDispose: () => sessions.delete(session),
      });
      sessions.set(session, open.sessionId);
      return Promise.resolve(session);
    },
    async [Symbol.asyncDispose]() {
      const owned = [probe, ...sessions.keys()];
      await Promise.all(owned.map((one) => one[Symbol.asyncDispose]()));
      await judges[Symbol.asyncDispose]();
    },
  };
}

async function describeClaude(setup: ProcessSetup): Promise<AgentInfo> {
  const unavailableReason = await findUnavailableReason(setup);
  return {
    agent: "claude",
    ...DESCRIPTION,
    available: unavailableReason === undefined,
    ...(unavailableReason !== undefined && { unavailableReason: inEnglish(unavailableReason) }),
    ...saidOf({ unavailableReason }),
    permissionModes: listPermissionModes(setup.modeConditions),
  };
}

/** The offers reported by the session's own process, if it has one. */
async function offersOf(
  sessions: ReadonlyMap<ClaudeSession, string>,
  sessionId: string | undefined,
): Promise<AgentOffers | undefined> {
  for (const [session, id] of sessions) {
    const offers = id === sessionId ? await session.offers() : undefined;
    if (offers) return offers;
  }
  return undefined;
}

async function loadQuery(): Promise<typeof query> {
  const sdk = await import("@anthropic-ai/claude-agent-sdk");
  return sdk.query;
}
