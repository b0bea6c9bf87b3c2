import { parseExactJson } from "@holdpoint/protocol";

/** A member of the outermost object of a JSON text, with its offsets in the text. */
interface Member {
  readonly name: string;
  /** Where its name starts. */
  readonly start: number;
  readonly valueStart: number;
  /** The end of its value, exclusive. */
  readonly end: number;
}

/**
 * Replaces one member of a JSON object's text; `undefined` removes the member. Everything else stays byte for byte.
 * Throws `TypeError` if the member occurs twice, or contains a number that cannot be preserved.
 */
export function withMember(text: string, name: string, value: unknown): string {
  const members = findMembers(text);
  const own = members.filter((member) => member.name === name);
  if (own.length > 1) throw new TypeError(`its ${name} occur twice`);
  const [member] = own;
  if (value === undefined) return member ? without(text, members, member) : text;
  const written = write(text, members, value);
  if (!member) return added(text, members, `${JSON.stringify(name)}: ${written}`);
  assertExact(text.slice(member.valueStart, member.end), name);
  return text.slice(0, member.valueStart) + written + text.slice(member.end);
}

function assertExact(json: string, name: string): void {
  try {
    parseExactJson(json);
  } catch (error: unknown) {
    throw new TypeError(`its ${name} contain a number that cannot be kept exactly`, {
      cause: error,
    });
  }
}

/** Serializes a value in the style of the text: its indentation and its line endings. */
function write(text: string, members: readonly Member[], value: unknown): string {
  const gap = gapOf(text, members);
  if (!gap.includes("\n")) return JSON.stringify(value);
  const indent = gap.slice(gap.lastIndexOf("\n") + 1);
  return JSON.stringify(value, undefined, indent === "" ? "  " : indent).replaceAll("\n", gap);
}

/** The whitespace before each member: a line ending and the indentation, or nothing. */
function gapOf(text: string, [first]: readonly Member[]): string {
  const open = text.indexOf("{") + 1;
  const space = text.slice(open, first?.start ?? text.lastIndexOf("}"));
  if (first) return /\r?\n[ \t]*$/.exec(space)?.[0] ?? "";
  return text.includes("\r\n") ? "\r\n  " : "\n  ";
}

function added(text: string, members: readonly Member[], written: string): string {
  const gap = gapOf(text, members);
  const last = members.at(-1);
  if (last) return `${text.slice(0, last.end)},${gap}${written}${text.slice(last.end)}`;
  const open = text.indexOf("{") + 1;
  return `${text.slice(0, open)}${gap}${written}${gap.trimEnd()}${/^\r?\n/.exec(gap)?.[0] ?? ""}${text.slice(text.lastIndexOf("}"))}`;
}

/** Removes the member with its comma: the one after it or, for the last member, the one before it. */
function without(text: string, members: readonly Member[], member: Member): string {
  const at = members.indexOf(member);
  const next = members[at + 1];
  const before = members[at - 1];
  if (next) return text.slice(0, member.start) + text.slice(next.start);
  if (before) return text.slice(0, before.end) + text.slice(member.end);
  return `${text.slice(0, text.indexOf("{") + 1)}${text.slice(text.lastIndexOf("}"))}`;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
const SPACE = /\s*/y;

interface Token {
  readonly token: string;
  readonly start: number;
}

/** The members of a text that is a JSON object. */
function findMembers(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let own: Token[] = [];
  for (const found of tokensOf(text)) {
    const closes = /^[\]}]$/.test(found.token);
    if (closes) depth -= 1;
    const isEnd = (depth === 1 && found.token === ",") || (depth === 0 && closes);
    if (isEnd) {
      members.push(...toMember(own));
      own = [];
    } else if (depth > 0) own.push(found);
    if (/^[[{]$/.test(found.token)) depth += 1;
  }
  return members;
}

/** Builds a member from its tokens: a name, a colon and the value's tokens. */
function toMember([name, , value, ...rest]: readonly Token[]): Member[] {
  if (!name || !value) return [];
  const last = rest.at(-1) ?? value;
  const end = last.start + last.token.length;
  const parsed = JSON.parse(name.token) as string;
  return [{ name: parsed, start: name.start, valueStart: value.start, end }];
}

function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return;
    yield { token, start: at };
    at += token.length;
  }
}
