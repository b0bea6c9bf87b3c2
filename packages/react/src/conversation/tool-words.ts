import type { Say, Words } from "../words/use-words.ts";

/** Names of icons, so that this file does not depend on components. */
export type ToolIconName =
  | "terminal"
  | "file"
  | "pencil"
  | "file-plus"
  | "search"
  | "folder"
  | "globe"
  | "agent"
  | "list"
  | "question"
  | "plan"
  | "plug"
  | "tool";

/** The description of a tool call in one line, in three tenses. */
export interface ToolWords {
  readonly icon: ToolIconName;
  /** Before it is allowed, while it runs, and once it has ended. */
  readonly asked: string;
  readonly running: string;
  readonly done: string;
  /** The object of the call. Untrusted text: show it with `VisibleText`. */
  readonly object?: string;
  /** How `object` is drawn: prose, code, or a path, whose end matters most. */
  readonly kind: "prose" | "code" | "path";
  /** The server of an MCP tool. Untrusted text. */
  readonly server?: string;
}

type Input = Record<string, unknown>;
type Tenses = readonly [asked: Words, running: Words, done: Words];

interface KnownTool {
  readonly icon: ToolIconName;
  readonly tenses: Tenses;
  readonly object?: (input: Input, say: Say) => string | undefined;
  readonly kind?: ToolWords["kind"];
}

const MAX_OBJECT_LENGTH = 240;

const RUN: Tenses = ["Wants to run", "Running", "Ran"];
const READ: Tenses = ["Wants to read", "Reading", "Read"];
const EDIT: Tenses = ["Wants to edit", "Editing", "Edited"];
const WRITE: Tenses = ["Wants to write", "Writing", "Wrote"];
const SEARCH: Tenses = ["Wants to search", "Searching", "Searched"];
const LIST: Tenses = ["Wants to list", "Listing", "Listed"];
const ASK: Tenses = ["Wants to ask", "Asking you", "Asked you"];

const PATH = text("file_path", "path", "notebook_path", "filePath");
const pattern = (input: Input, say: Say): string | undefined => {
  const what = text("pattern", "query", "regex")(input);
  const where = text("path", "glob", "directory")(input);
  return what === undefined || where === undefined
    ? what
    : say("{what} in {where}", { what, where });
};

/** Keyed by the tool's name without case and underscores, so that `edit_file` and `EditFile` are the same. */
const KNOWN_TOOLS: Readonly<Record<string, KnownTool>> = {
  bash: { icon: "terminal", tenses: RUN, object: text("command"), kind: "code" },
  shell: { icon: "terminal", tenses: RUN, object: text("command"), kind: "code" },
  runcommand: { icon: "terminal", tenses: RUN, object: text("command"), kind: "code" },
  bashoutput: { icon: "terminal", tenses: ["Wants the output", "Reading output", "Read output"] },
  killshell: { icon: "terminal", tenses: ["Wants to end a command", "Ending", "Ended a command"] },
  read: { icon: "file", tenses: READ, object: PATH, kind: "path" },
  readfile: { icon: "file", tenses: READ, object: PATH, kind: "path" },
  edit: { icon: "pencil", tenses: EDIT, object: PATH, kind: "path" },
  editfile: { icon: "pencil", tenses: EDIT, object: PATH, kind: "path" },
  multiedit: { icon: "pencil", tenses: EDIT, object: PATH, kind: "path" },
  notebookedit: { icon: "pencil", tenses: EDIT, object: PATH, kind: "path" },
  write: { icon: "file-plus", tenses: WRITE, object: PATH, kind: "path" },
  writefile: { icon: "file-plus", tenses: WRITE, object: PATH, kind: "path" },
  grep: { icon: "search", tenses: SEARCH, object: pattern, kind: "code" },
  glob: {
    icon: "folder",
    tenses: ["Wants to find", "Finding", "Found"],
    object: pattern,
    kind: "code",
  },
  ls: { icon: "folder", tenses: LIST, object: PATH, kind: "path" },
  listfiles: { icon: "folder", tenses: LIST, object: PATH, kind: "path" },
  webfetch: {
    icon: "globe",
    tenses: ["Wants to fetch", "Fetching", "Fetched"],
    object: text("url"),
    kind: "code",
  },
  websearch: {
    icon: "globe",
    tenses: ["Wants to search the web", "Searching the web", "Searched the web"],
    object: text("query"),
  },
  task: {
    icon: "agent",
    tenses: ["Wants a sub-agent", "Sub-agent", "Sub-agent"],
    object: text("description", "subagent_type"),
  },
  agent: {
    icon: "agent",
    tenses: ["Wants a sub-agent", "Sub-agent", "Sub-agent"],
    object: text("description", "subagent_type"),
  },
  todowrite: { icon: "list", tenses: ["Wants to plan", "Planning", "Planned"], object: todoCount },
  askuserquestion: { icon: "question", tenses: ASK, object: firstQuestion },
  askquestions: { icon: "question", tenses: ASK, object: firstQuestion },
  askuser: { icon: "question", tenses: ASK, object: firstQuestion },
  exitplanmode: {
    icon: "plan",
    tenses: ["Proposes a plan", "Proposing a plan", "Proposed a plan"],
  },
};

/** The description of a call. `input` is absent while it is still streamed. */
export function toToolWords(toolName: string, input: Input | undefined, say: Say): ToolWords {
  const { name, server } = splitMcpName(toolName);
  const known = server === undefined ? KNOWN_TOOLS[toKey(name)] : undefined;
  if (known === undefined) return toUnknownToolWords({ name, server }, input ?? {}, say);
  const [asked, running, done] = known.tenses;
  const object = known.object?.(input ?? {}, say);
  return {
    icon: known.icon,
    asked: say(asked),
    running: say(running),
    done: say(done),
    ...(object !== undefined && { object: toLine(object) }),
    kind: known.kind ?? "prose",
  };
}

function toUnknownToolWords(
  { name, server }: ReturnType<typeof splitMcpName>,
  input: Input,
  say: Say,
): ToolWords {
  const object = Object.values(input)
    .map(toObject)
    .find((words) => words !== "");
  return {
    icon: server === undefined ? "tool" : "plug",
    asked: say("Wants to use {tool}", { tool: name }),
    running: say("Using {tool}", { tool: name }),
    done: say("Used {tool}", { tool: name }),
    ...(object !== undefined && { object: toLine(object) }),
    kind: "prose",
    ...(server !== undefined && { server }),
  };
}

/** A text, or several joined with commas; empty for other values. */
function toObject(value: unknown): string {
  if (Array.isArray(value)) return value.every(isText) ? value.join(", ") : "";
  return isText(value) ? value : "";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Splits `mcp__<server>__<tool>`, Claude's name for a tool of an MCP server. */
function splitMcpName(toolName: string): { name: string; server?: string | undefined } {
  const [prefix, server, ...name] = toolName.split("__");
  if (prefix !== "mcp" || !server || name.join("__") === "") return { name: toolName };
  return { name: name.join("__"), server };
}

function toKey(name: string): string {
  const key = name.replaceAll(/[_\-\s]/gu, "").toLowerCase();
  return Object.hasOwn(KNOWN_TOOLS, key) ? key : "";
}

function toLine(value: string): string {
  const [first = "", ...rest] = value.trim().split("\n");
  const line = first.length > MAX_OBJECT_LENGTH ? first.slice(0, MAX_OBJECT_LENGTH) : first;
  return rest.length > 0 || line.length < first.length ? `${line} …` : line;
}

function text(...keys: readonly string[]): (input: Input) => string | undefined {
  return (input) => {
    for (const key of keys) {
      const value = input[key];
      if (typeof value === "string" && value !== "") return value;
    }
    return undefined;
  };
}

function todoCount(input: Input, say: Say): string | undefined {
  const todos = input["todos"];
  if (!Array.isArray(todos)) return undefined;
  return say("{count} step|{count} steps", { count: todos.length });
}

function firstQuestion(input: Input): string | undefined {
  const single = text("question", "prompt")(input);
  if (single !== undefined) return single;
  const questions: unknown = input["questions"];
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return typeof first === "object" && first !== null ? text("question")(first as Input) : undefined;
}
