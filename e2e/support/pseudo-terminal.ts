import { spawn } from "node:child_process";
import { once } from "node:events";

import xterm from "@xterm/headless";

import { until } from "./api.ts";

/** How long a key may take to show an effect. */
const KEY_MS = 1500;
const SIZE = { rows: 50, cols: 120 };

/** A program with a terminal, and its screen. */
export interface PseudoTerminal extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until the screen shows the text, with or without its spaces. */
  shows(text: string): Promise<void>;
  /** Types the key until the screen shows the text: a new prompt ignores keys for a moment. */
  answer(key: string, text: string): Promise<void>;
  /** Types a message that is not on the screen yet, and sends it. */
  say(message: string): Promise<void>;
}

export interface PseudoTerminalOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers the program's queries to its terminal, such as the cursor position. */
  readonly replies?: boolean;
}

export function openPseudoTerminal({
  command: words,
  cwd,
  env,
  replies,
}: PseudoTerminalOptions): PseudoTerminal {
  const command = `stty rows ${SIZE.rows} cols ${SIZE.cols}; exec ${words.map((word) => `'${word}'`).join(" ")}`;
  // Part of util-linux and of every Debian: it gives the program a terminal.
  const child = spawn("script", ["-qfc", command, "/dev/null"], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  // The program writes only changes of the screen, so that words are complete only on the screen.
  const screen = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  child.stdout.on("data", (bytes: Buffer) => screen.write(bytes));
  child.stdin.on("error", () => undefined);
  if (replies) screen.onData((reply) => child.stdin.write(reply));
  const exited = once(child, "exit");
  const hasShown = (text: string): boolean =>
    withoutSpaces(textOf(screen)).includes(withoutSpaces(text));
  const terminal: PseudoTerminal = {
    type: (keys) => void child.stdin.write(keys),
    async shows(text) {
      const shown = until(async () => hasShown(text), `“${text}” in the terminal`);
      await shown.catch((error: unknown) => {
        throw new Error(`${String(error)} It shows:\n${textOf(screen)}`);
      });
    },
    async answer(key, text) {
      let nextMs = 0;
      await until(async () => {
        if (hasShown(text)) return true;
        if (performance.now() > nextMs) {
          terminal.type(key);
          nextMs = performance.now() + KEY_MS;
        }
        return false;
      }, `“${text}” in the terminal after ${key}`);
    },
    async say(message) {
      terminal.type(message);
      await terminal.shows(message);
      terminal.type("\r");
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
  return terminal;
}

function textOf({ buffer, rows }: xterm.Terminal): string {
  const { active } = buffer;
  const lines = Array.from({ length: rows }, (_, row) =>
    active.getLine(active.baseY + row)?.translateToString(true),
  );
  return lines.filter(Boolean).join("\n");
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, "");
}
