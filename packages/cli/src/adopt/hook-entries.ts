import type { TerminalKind } from "@holdpoint/agents";
import { isRecord } from "@holdpoint/protocol";

import { quote } from "../terminals/hook-program.ts";

/** The parsed settings file of an agent. */
export type HookSettings = Readonly<Record<string, unknown>>;

type Action = "ask" | "note" | "pass" | "tell";
const ACTIONS: readonly Action[] = ["ask", "note", "pass", "tell"];

interface Entry {
  readonly action: Action;
  readonly timeout: number;
  /** Shown in the terminal while the hook runs. */
  readonly statusMessage?: string;
}

/** The hook's arguments for each event. The week is longer than anyone leaves a prompt open. */
const CLAUDE: Readonly<Record<string, Entry>> = {
  PermissionRequest: { action: "ask", timeout: 7 * 24 * 60 * 60 },
  // The gateway ends its wait after ten minutes.
  PermissionDenied: { action: "ask", timeout: 15 * 60 },
  PreToolUse: { action: "pass", timeout: 5 },
  PostToolUse: { action: "tell", timeout: 5 },
  PostToolUseFailure: { action: "tell", timeout: 5 },
  SubagentStop: { action: "note", timeout: 5 },
  Stop: { action: "note", timeout: 5 },
  StopFailure: { action: "note", timeout: 5 },
  UserPromptSubmit: { action: "note", timeout: 5 },
  SessionEnd: { action: "note", timeout: 5 },
};

/** Codex asks in the terminal when the hook has ended without an answer. */
const CODEX: Readonly<Record<string, Entry>> = {
  PermissionRequest: {
    action: "ask",
    timeout: 150,
    statusMessage: "Asked in Holdpoint. Without an answer there, this terminal asks in two minutes",
  },
  PostToolUse: { action: "tell", timeout: 5 },
  Stop: { action: "note", timeout: 5 },
  UserPromptSubmit: { action: "note", timeout: 5 },
  // The most that Codex allows.
  Interrupt: { action: "note", timeout: 3 },
  SessionEnd: { action: "note", timeout: 3 },
};

const EVENTS: Readonly<Record<TerminalKind, Readonly<Record<string, Entry>>>> = {
  claude: CLAUDE,
  codex: CODEX,
};
const KINDS: readonly TerminalKind[] = ["claude", "codex"];

/** Adds the hook to each event, after the existing hooks. Throws `TypeError` for hooks that cannot be read. */
export function withHook(
  kind: TerminalKind,
  settings: HookSettings,
  program: string,
): HookSettings {
  const others = withoutHook(settings, program);
  const hooks = { ...readHooks(others) };
  for (const [event, { action, ...rest }] of Object.entries(EVENTS[kind])) {
    const command = commandOf(kind, program, action);
    hooks[event] = [...readList(hooks[event]), { hooks: [{ type: "command", command, ...rest }] }];
  }
  return { ...others, hooks };
}

/** Removes the hook, and lists that contain nothing else. Everything else stays. */
export function withoutHook(settings: HookSettings, program: string): HookSettings {
  if (!hasHook(settings, program)) return settings;
  const own = new Set(
    KINDS.flatMap((kind) => ACTIONS.map((action) => commandOf(kind, program, action))),
  );
  const isOwn = (hook: unknown): boolean => own.has(String(Object(hook).command));
  const kept: Record<string, unknown> = {};
  for (const [event, list] of Object.entries(readHooks(settings))) {
    const left = readList(list).flatMap((matcher) => withoutOwn(matcher, isOwn));
    if (left.length > 0 || readList(list).length === 0) kept[event] = left;
  }
  const { hooks: _, ...rest } = settings;
  return Object.keys(kept).length === 0
    ? rest
    : Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [key, key === "hooks" ? kept : value]),
      );
}

/** The events of this agent that the hook handles. */
export function eventsOf(kind: TerminalKind): readonly string[] {
  return Object.keys(EVENTS[kind]);
}

/** Whether the hook is there for any event. Never throws. */
export function hasHook(settings: HookSettings, program: string): boolean {
  return KINDS.some((kind) => writtenFor(kind, settings, program).length > 0);
}

/** Whether the hook is there for each event, as it would be written now. */
export function isWhole(kind: TerminalKind, settings: HookSettings, program: string): boolean {
  return writtenFor(kind, settings, program).length === eventsOf(kind).length;
}

function writtenFor(kind: TerminalKind, { hooks }: HookSettings, program: string): string[] {
  const lists = Object(hooks) as Readonly<Record<string, unknown>>;
  return Object.entries(EVENTS[kind]).flatMap(([event, { action }]) => {
    const text = JSON.stringify(lists[event] ?? []);
    return text.includes(JSON.stringify(commandOf(kind, program, action))) ? [event] : [];
  });
}

/** The hook's command line. `exec` replaces the agent's shell by the hook, so that signals reach it. */
function commandOf(kind: TerminalKind, program: string, action: Action): string {
  return `exec ${quote(program)} ${action}${kind === "claude" ? "" : ` ${kind}`}`;
}

function withoutOwn(matcher: unknown, isOwn: (hook: unknown) => boolean): unknown[] {
  const { hooks } = Object(matcher) as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || !hooks.some(isOwn)) return [matcher];
  const left = hooks.filter((hook) => !isOwn(hook));
  return left.length === 0 ? [] : [{ ...(matcher as object), hooks: left }];
}

function readHooks({ hooks = {} }: HookSettings): Readonly<Record<string, unknown>> {
  if (isRecord(hooks)) return hooks;
  throw new TypeError("its hooks are not an object");
}

function readList(list: unknown): readonly unknown[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) return list;
  throw new TypeError("its hooks are not lists");
}
