import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

import { type Saying, saying } from "@holdpoint/protocol";

import { claudeConfigDir, PROVIDER_SWITCHES } from "./claude-environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";
const KEY_VARIABLES = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/** Why Claude cannot be started here, and the fix; `undefined` if it can, as far as files show. Starts nothing. */
export async function findUnavailableReason(options: {
  readonly environment: Environment;
  readonly pathToClaudeCodeExecutable?: string;
}): Promise<Saying | undefined> {
  const { environment, pathToClaudeCodeExecutable: executable } = options;
  if (!isInstalled(SDK_PACKAGE)) {
    return saying("agent_not_installed", { name: SDK_PACKAGE });
  }
  if (executable !== undefined && !(await isFile(executable))) {
    return saying("agent_no_executable", { path: executable });
  }
  if (executable === undefined && !hasBinary()) {
    const platform = `${process.platform}-${process.arch}`;
    return saying("agent_no_program", { name: SDK_PACKAGE, platform });
  }
  if (await hasCredentials(environment)) return undefined;
  return saying("agent_not_signed_in");
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false; // not installed
  }
}

function hasBinary(): boolean {
  const { platform, arch } = process;
  const variants = platform === "linux" ? ["", "-musl"] : [""];
  const program = platform === "win32" ? "claude.exe" : "claude";
  const require = createRequire(import.meta.resolve(SDK_PACKAGE));
  return variants.some((variant) => {
    try {
      require.resolve(`${SDK_PACKAGE}-${platform}-${arch}${variant}/${program}`);
      return true;
    } catch {
      return false; // not installed for this variant
    }
  });
}

async function hasCredentials(environment: Environment): Promise<boolean> {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (KEY_VARIABLES.some(isSet) || PROVIDER_SWITCHES.some(isSet)) return true;
  const home = environment["HOME"] ?? homedir();
  const configDir = environment["CLAUDE_CONFIG_DIR"];
  const folder = claudeConfigDir(environment);
  if (await isFile(join(folder, ".credentials.json"))) return true;
  // On macOS, a login keeps its secret in the keychain and only the account here.
  const account = await readJson(join(configDir ?? home, ".claude.json"));
  const settings = await readJson(join(folder, "settings.json"));
  return "oauthAccount" in account || "apiKeyHelper" in settings;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readJson(path: string): Promise<object> {
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {}; // no such file, or not JSON
  }
}
