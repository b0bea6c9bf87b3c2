import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openScriptedModel, say, type ScriptedModel } from "@holdpoint/agents/testing";

import { openPseudoTerminal, type PseudoTerminal } from "./pseudo-terminal.ts";

const KEY = "scripted-model-key";
const SDK = "@anthropic-ai/claude-agent-sdk";

/** A person's account with an unmodified Claude Code, and a scripted model. */
export interface ClaudeAccount extends AsyncDisposable {
  readonly project: string;
  readonly settings: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedModel;
  /** Starts Claude Code in a pseudo-terminal. */
  openTerminal(args?: readonly string[]): ClaudeTerminal;
  /** Runs Claude Code without a terminal (`-p`) to its end, and returns its output. */
  print(args: readonly string[]): Promise<string>;
}

export type ClaudeTerminal = PseudoTerminal;

export async function openClaudeAccount(): Promise<ClaudeAccount> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "claude-terminal-")));
  const project = join(home, "project");
  const config = join(home, ".claude");
  await mkdir(project);
  await mkdir(config);
  // The person's answers to its questions at its first start.
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
    openTerminal: (args = []) =>
      openPseudoTerminal({
        command: [binaryPath(), ...args],
        cwd: project,
        env: { ...env, ASKED_BY_ITS_HOST: "" },
      }),
    print: (args) => print({ cwd: project, env, args: ["-p", ...args] }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The content of a file of the project, if the file exists. */
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
