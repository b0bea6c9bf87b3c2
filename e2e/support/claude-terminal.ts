import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openScriptedModel, say, type ScriptedModel } from "@holdpoint/agents/testing";
import xterm from "@xterm/headless";

import { until } from "./api.ts";

const KEY = "scripted-model-key";
/** So long a key may need to show. */
const KEY_MS = 1500;
const SIZE = { rows: 50, cols: 120 };
const SDK = "@anthropic-ai/claude-agent-sdk";

/** A person's account with Claude Code as it comes, and a scripted model. */
export interface ClaudeAccount extends AsyncDisposable {
  readonly project: string;
  readonly settings: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedModel;
  /** Starts Claude Code in a pseudo-terminal. */
  openTerminal(args?: readonly string[]): ClaudeTerminal;
  /** Runs Claude Code without a terminal (`-p`) to its end, and gives what it printed. */
  print(args: readonly string[]): Promise<string>;
}

export interface ClaudeTerminal extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until the screen shows this, with or without its spaces. */
  shows(text: string): Promise<void>;
  /** Types the key until the screen shows this: a prompt that has just come takes no keys for a moment. */
  answer(key: string, text: string): Promise<void>;
  /** Types a message that the screen does not show yet, and sends it. */
  say(message: string): Promise<void>;
}

export async function openClaudeAccount(): Promise<ClaudeAccount> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "claude-terminal-")));
  const project = join(home, "project");
  const config = join(home, ".claude");
  await mkdir(project);
  await mkdir(config);
  // What a person has said to its questions at its first start.
  const known = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  await writeFile(join(config, ".claude.json"), JSON.stringify(known));
  const model = await openScriptedModel(() => [say("Nothing to do.")]);
  const env = { ...model.env(config), DISABLE_AUTOUPDATER: "1", IS_SANDBOX: "1", TERM: "xterm" };
  return {
    project,
    settings: join(config, "settings.json"),
    env,
    model,
    openTerminal: (args = []) => openTerminal({ cwd: project, env, args }),
    print: (args) => print({ cwd: project, env, args: ["-p", ...args] }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Whether a file of the project is there, and what it holds. */
export function readProjectFile(account: ClaudeAccount, name: string): Promise<string | undefined> {
  return readFile(join(account.project, name), "utf8").catch(() => undefined);
}

interface Start {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

function binaryPath(): string {
  return createRequire(import.meta.resolve(SDK)).resolve(
    `${SDK}-${process.platform}-${process.arch}/claude`,
  );
}

async function print({ cwd, env, args }: Start): Promise<string> {
  const child = spawn(binaryPath(), args, {
    cwd,
    env: { ...process.env, ...env, ASKED_BY_ITS_HOST: "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  return said;
}

function openTerminal({ cwd, env, args }: Start): ClaudeTerminal {
  const command = `stty rows ${SIZE.rows} cols ${SIZE.cols}; exec ${[binaryPath(), ...args].map((arg) => `'${arg}'`).join(" ")}`;
  // Of util-linux and in every Debian: it gives the program a terminal.
  const child = spawn("script", ["-qfc", command, "/dev/null"], {
    cwd,
    env: { ...process.env, ...env, ASKED_BY_ITS_HOST: "" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  // The program writes only what changes on the screen, so that words are whole on the screen alone.
  const screen = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  child.stdout.on("data", (bytes: Buffer) => screen.write(bytes));
  child.stdin.on("error", () => undefined);
  const exited = once(child, "exit");
  const hasShown = (text: string): boolean =>
    withoutSpaces(textOf(screen)).includes(withoutSpaces(text));
  const terminal: ClaudeTerminal = {
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
