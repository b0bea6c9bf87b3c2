import { homedir } from "node:os";
import { join } from "node:path";

import { createJudge, type Judge } from "../protection/judge-tool-use.ts";
import { claudeConfigDir } from "./claude-environment.ts";
import { isGatewayTool } from "./tool-server.ts";

const REASON =
  "This may change what Claude itself loads, also in other sessions: its settings, skills, agents or memory.";

/**
 * A judge for calls that change Claude's own files. In every mode the runtime lets its agent write its memory, and
 * where it accepts edits in the folder that holds these files, it lets the agent write most of them. Plans are free,
 * since they are not loaded automatically.
 */
export function createOwnFilesJudge(
  environment: Readonly<Record<string, string | undefined>>,
): Judge {
  const configDir = claudeConfigDir(environment);
  const home = environment["HOME"] ?? homedir();
  return createJudge({
    paths: {
      deny: [],
      ask: [configDir, join(home, ".claude.json")],
      free: [join(configDir, "plans")],
    },
    environment,
    asksItself: isGatewayTool,
    changeReason: REASON,
  });
}

/** A judge that returns the first verdict of these judges. */
export function firstOf(...judges: readonly Judge[]): Judge {
  return async (use) => {
    for (const judge of judges) {
      const verdict = await judge(use);
      if (verdict) return verdict;
    }
    return undefined;
  };
}
