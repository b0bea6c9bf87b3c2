import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

import { claudeConfigDir, PROVIDER_SWITCHES } from "./claude-environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";
const KEY_VARIABLES = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/** Why Claude cannot be started here, and the way out; `undefined` if it can, as far as files tell. Starts nothing. */
export async function findUnavailableReason(options: {
  readonly environment: Environment;
  readonly pathToClaudeCodeExecutable?: string;
}): Promise<string | undefined> {
  const { environment, pathToClaudeCodeExecutable: executable } = options;
  if (!isInstalled(SDK_PACKAGE)) {
    return `The package ${SDK_PACKAGE} is not installed. Install it beside the gateway: npm install ${SDK_PACKAGE}`;
  }
  if (executable !== undefined && !(await isFile(executable))) {
    return `There is no Claude Code executable at ${executable}.`;
  }
  if (executable === undefined && !hasBinary()) {
    return `${SDK_PACKAGE} came without its program for ${process.platform}-${process.arch}. Install it again without --omit=optional.`;
  }
  if (await hasCredentials(environment)) return undefined;
  return "Claude has no key and no login here. Set ANTHROPIC_API_KEY and restart the gateway, or log in with Claude Code.";
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false; // that is the answer
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
      return false; // that is the answer
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
  // A login of macOS keeps its secret in the keychain and only its account here.
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
    return {}; // no such file, or not JSON: nothing is known from it
  }
}
