import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openPseudoTerminal, type PseudoTerminal } from "../../e2e/support/pseudo-terminal.ts";
import { installInto } from "../publish/install-into.ts";

/** The last tested version. */
export const CODEX = "@openai/codex@0.169.0";

/** A person's account with an unmodified Codex, whose model is at this address. Disposing removes all of it. */
export async function openCodexAccount(modelUrl: string) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "codex-")));
  const project = join(home, "project");
  const codexHome = join(home, ".codex");
  for (const folder of [project, codexHome]) await mkdir(folder);
  await writeFile(join(home, "package.json"), `{"private":true}`);
  installInto(home, [CODEX]);
  const config = [
    `model = "scripted"`,
    `model_provider = "scripted"`,
    `approval_policy = "on-request"`,
    `sandbox_mode = "read-only"`,
    `check_for_update_on_startup = false`,
    `[model_providers.scripted]`,
    `name = "scripted"`,
    `base_url = "${modelUrl}"`,
    `wire_api = "responses"`,
    `[projects."${project}"]`,
    `trust_level = "trusted"`,
    ``,
  ];
  await writeFile(join(codexHome, "config.toml"), config.join("\n"));
  const env = { HOME: home, CODEX_HOME: codexHome, TERM: "xterm-256color", NO_PROXY: "127.0.0.1" };
  return {
    project,
    hooks: join(codexHome, "hooks.json"),
    env,
    /** Adds these lines to its settings, as a person following the instructions would. */
    paste: (lines: string) => appendFile(join(codexHome, "config.toml"), `\n${lines}`),
    /** Codex in a pseudo-terminal. Its background server would outlive the terminal. */
    openTerminal(): PseudoTerminal {
      const program = join(home, "node_modules/.bin/codex");
      const command = [program, "--no-daemon"];
      return openPseudoTerminal({ command, cwd: project, env, replies: true });
    },
    async [Symbol.asyncDispose]() {
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type CodexAccount = Awaited<ReturnType<typeof openCodexAccount>>;
