/*
 * A gateway that leaves the real Claude to its host: `held-gateway.ts DATA-FOLDER FOLDER WAIT`. It runs the SDK over
 * an agent host until the hook (`hook`) or the question for a permission (`permission`) waits, and prints the
 * request. When imported, it provides the same SDK call for the next gateway.
 */
import { mkdirSync } from "node:fs";

import { query, type Query } from "@anthropic-ai/claude-agent-sdk";

import { openAgentHosts, type AgentHosts } from "../../src/host/agent-hosts.ts";
import type { HostedProcess } from "../../src/host/hosted-process.ts";
import { type HostedStart, startHosted } from "../../src/host/spawn-hosted.ts";

export interface Asked {
  readonly toolCallId: string;
  readonly requestId?: string;
}

export interface HeldQuery {
  readonly folder: string;
  readonly prompt?: string;
  readonly spawn: (start: HostedStart) => HostedProcess;
  readonly onHook: (asked: Asked) => Promise<void>;
  readonly onPermission: (asked: Asked) => Promise<void>;
}

export function openHosts(dataDir: string): AgentHosts {
  mkdirSync(dataDir, { recursive: true });
  return openAgentHosts({ dataDir, tokenFor: (id) => `token of ${id}` });
}

/** Uses the same options in every gateway. */
export function startQuery({ folder, prompt, spawn, onHook, onPermission }: HeldQuery): Query {
  return query({
    prompt: (async function* () {
      if (prompt !== undefined) {
        const message = { role: "user" as const, content: prompt };
        yield { type: "user" as const, message, parent_tool_use_id: null };
      }
      await new Promise<never>(() => undefined);
    })(),
    options: {
      cwd: folder,
      env: process.env,
      permissionMode: "default",
      settingSources: [],
      includePartialMessages: true,
      spawnClaudeCodeProcess: spawn,
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            timeout: 100_000,
            hooks: [
              async (_, toolCallId = "") => {
                await onHook({ toolCallId });
                return {};
              },
            ],
          },
        ],
      },
      canUseTool: async (_, input, { toolUseID, requestId }) => {
        await onPermission({ toolCallId: toolUseID, requestId });
        return { behavior: "allow", updatedInput: input };
      },
    },
  });
}

if (import.meta.main) {
  const [, , dataDir = "", folder = "", wait] = process.argv;
  const hosts = openHosts(dataDir);
  const waitHere = (asked: Asked): Promise<never> => {
    process.stdout.write(`${JSON.stringify(asked)}\n`);
    return new Promise<never>(() => undefined);
  };
  const goOn = (): Promise<void> => Promise.resolve();
  let hosted: HostedProcess | undefined;
  const running = startQuery({
    folder,
    prompt: "go",
    spawn(start) {
      hosted = hosts.open({ sessionId: "ses_1" });
      startHosted(hosted, start);
      hosted.setTurn({ turnId: "trn_1" });
      return hosted;
    },
    onHook: wait === "hook" ? waitHere : goOn,
    onPermission: wait === "permission" ? waitHere : goOn,
  });
  for await (const message of running) {
    if (message.type === "system" && message.subtype === "init") hosted?.settle(message.uuid);
  }
}
