import { quote } from "../terminals/hook-program.ts";

/** A settings file of Claude Code, as far as it was read. */
export type ClaudeSettings = Readonly<Record<string, unknown>>;

type Action = "ask" | "note" | "pass" | "tell";
const ACTIONS: readonly Action[] = ["ask", "note", "pass", "tell"];

/** By event: what the hook is called with. A week is longer than anybody leaves a prompt open. */
const EVENTS: Readonly<Record<string, { readonly action: Action; readonly timeout: number }>> = {
  PermissionRequest: { action: "ask", timeout: 7 * 24 * 60 * 60 },
  // The gateway ends its wait after ten minutes.
  PermissionDenied: { action: "ask", timeout: 15 * 60 },
  PreToolUse: { action: "pass", timeout: 5 },
  PostToolUse: { action: "tell", timeout: 5 },
  PostToolUseFailure: { action: "tell", timeout: 5 },
  SubagentStop: { action: "tell", timeout: 5 },
  Stop: { action: "note", timeout: 5 },
  StopFailure: { action: "note", timeout: 5 },
  UserPromptSubmit: { action: "note", timeout: 5 },
  SessionEnd: { action: "note", timeout: 5 },
};

/** The settings with the hook for each event, after those that are there. Throws `TypeError` for hooks that cannot be read. */
export function withHook(settings: ClaudeSettings, program: string): ClaudeSettings {
  const others = withoutHook(settings, program);
  const hooks = { ...readHooks(others) };
  for (const [event, { action, timeout }] of Object.entries(EVENTS)) {
    const command = commandOf(program, action);
    hooks[event] = [...readList(hooks[event]), { hooks: [{ type: "command", command, timeout }] }];
  }
  return { ...others, hooks };
}

/** The settings without the hook. All else stays, but lists that only the hook has filled. */
export function withoutHook(settings: ClaudeSettings, program: string): ClaudeSettings {
  if (!hasHook(settings, program)) return settings;
  const own = new Set(ACTIONS.map((action) => commandOf(program, action)));
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

/** Whether the hook is there for any event. */
export function hasHook(settings: ClaudeSettings, program: string): boolean {
  return eventsOf(settings, program).length > 0;
}

/** Whether the hook is there for each event, as it would be written now. */
export function isWhole(settings: ClaudeSettings, program: string): boolean {
  return eventsOf(settings, program).length === Object.keys(EVENTS).length;
}

function eventsOf(settings: ClaudeSettings, program: string): string[] {
  return Object.entries(EVENTS).flatMap(([event, { action }]) => {
    const text = JSON.stringify(readHooks(settings)[event] ?? []);
    return text.includes(JSON.stringify(commandOf(program, action))) ? [event] : [];
  });
}

/** The shell that Claude Code starts becomes the hook, so that a signal for one is for the other. */
function commandOf(program: string, action: Action): string {
  return `exec ${quote(program)} ${action}`;
}

function withoutOwn(matcher: unknown, isOwn: (hook: unknown) => boolean): unknown[] {
  const { hooks } = Object(matcher) as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || !hooks.some(isOwn)) return [matcher];
  const left = hooks.filter((hook) => !isOwn(hook));
  return left.length === 0 ? [] : [{ ...(matcher as object), hooks: left }];
}

function readHooks({ hooks = {} }: ClaudeSettings): Readonly<Record<string, unknown>> {
  if (typeof hooks === "object" && hooks !== null && !Array.isArray(hooks)) {
    return hooks as Readonly<Record<string, unknown>>;
  }
  throw new TypeError("its hooks are not an object");
}

function readList(list: unknown): readonly unknown[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) return list;
  throw new TypeError("its hooks are not lists");
}
