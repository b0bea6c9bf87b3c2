/** The part of a message that suggestions are for: the beginning of a command or a path. */
export interface AssistToken {
  readonly kind: "command" | "file";
  /** Without its leading sign. */
  readonly text: string;
  /** The positions of its leading sign and of its end, where the caret is. */
  readonly start: number;
  readonly end: number;
}

const COMMAND = /^\/(\S*)$/u;
const FILE = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/u;

/** The token that ends at the caret. A command must be at the beginning of the message. */
export function findToken(message: string, caret: number): AssistToken | undefined {
  const before = message.slice(0, caret);
  const command = COMMAND.exec(before);
  if (command) return { kind: "command", text: command[1] ?? "", start: 0, end: caret };
  const file = FILE.exec(before);
  if (file === null) return undefined;
  const text = file[1] ?? file[2] ?? "";
  const start = before.lastIndexOf("@", file[1] === undefined ? caret : caret - text.length - 1);
  return { kind: "file", text, start, end: caret };
}

/** A command or path as it is written in a message. A path with a space needs quotes. */
export function toMention(kind: AssistToken["kind"], value: string): string {
  if (kind === "command") return `/${value}`;
  return /\s/u.test(value) ? `@"${value}"` : `@${value}`;
}

/** Returns the message with the token replaced, and the new position of the caret. */
export function replaceToken(
  message: string,
  { kind, start, end }: AssistToken,
  value: string,
): { readonly message: string; readonly caret: number } {
  const mention = toMention(kind, value);
  // A folder is rarely the target: the files in it are suggested next.
  const isOpen = kind === "file" && value.endsWith("/") && !mention.includes('"');
  const rest = message.slice(end);
  const gap = isOpen || /^\s/u.test(rest) ? "" : " ";
  const caret = start + mention.length + (isOpen ? 0 : 1);
  return { message: `${message.slice(0, start)}${mention}${gap}${rest}`, caret };
}
