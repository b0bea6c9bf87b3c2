import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createMemoryStore,
  type Gateway,
  type GatewayOptions,
  openGateway,
} from "@holdpoint/engine";
import { createSequentialIds, SimulatedClock } from "@holdpoint/engine/testing";
import type { Caller, Interaction } from "@holdpoint/protocol";
import { onTestFinished } from "vitest";

import { CallMarks } from "../terminal/call-marks.ts";
import { createTerminalAdapter } from "../terminal/terminal-adapter.ts";
import { TerminalAsks } from "../terminal/terminal-asks.ts";
import { TERMINALS } from "../terminal/terminal-kind.ts";

export const ada: Caller = { principal: "person", person: "Ada", client: "page" };

/** A gateway for requests of terminals. */
export interface TerminalScene {
  readonly gateway: Gateway;
  readonly asks: TerminalAsks;
  readonly clock: SimulatedClock;
  readonly errors: unknown[];
  /** The marks of finished calls. */
  marks(): Promise<readonly string[]>;
  pending(): Promise<readonly Interaction[]>;
  interaction(interactionId: string): Promise<Interaction>;
  respond(interaction: Interaction, body: Record<string, unknown>): Promise<void>;
}

export async function openTerminalScene(
  options: Pick<GatewayOptions, "limits"> = {},
): Promise<TerminalScene> {
  const clock = new SimulatedClock();
  const errors: unknown[] = [];
  const gateway = await openGateway({
    ...options,
    store: createMemoryStore(),
    clock,
    ids: createSequentialIds(),
    agents: new Map(
      (["claude", "codex"] as const).map((kind) => [
        TERMINALS[kind].agent,
        createTerminalAdapter(kind),
      ]),
    ),
    credentialKey: new Uint8Array(32),
    defaultCwd: "/work",
    // A terminal may be in any directory, since its agent already runs there.
    refuseCwd: async () => "Not here.",
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => gateway.close());
  const folder = await mkdtemp(join(tmpdir(), "passes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const passes = new CallMarks({ folder, clock, kind: "passes" });
  const denials = new CallMarks({ folder, clock, kind: "denied" });
  const allowed = new CallMarks({ folder, clock, kind: "allowed" });
  const onError = (error: unknown) => errors.push(error);
  const asks = new TerminalAsks({
    gateway,
    clock,
    passes,
    denials,
    allowed,
    isAlive: (pid) => pid !== 7,
    onError,
  });
  const page = new AbortController();
  gateway.announceClient(ada, { signal: page.signal });
  return {
    gateway,
    asks,
    clock,
    errors,
    marks: () => readdir(folder),
    async pending() {
      await clock.settle();
      return (await gateway.listInteractions(ada, { status: ["pending"], limit: 50 } as never))
        .items;
    },
    interaction: (interactionId) => gateway.getInteraction(ada, interactionId),
    async respond({ interactionId, approval }, body) {
      const digest = approval && body["action"] === "approve" ? { digest: approval.digest } : {};
      await gateway.respond(ada, interactionId, { ...digest, ...body } as never);
      await clock.settle();
    },
  };
}

export const command = "rm -rf build";
/** The input of a hook for a prompt. */
export function prompt(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    session_id: "one",
    cwd: "/work/shop",
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command },
    ...fields,
  };
}

/** The hook's output, once there is one. */
export async function outputOf(scene: TerminalScene, id: string): Promise<unknown> {
  const visit = scene.asks.visit(id);
  await scene.clock.settle();
  const output = await visit?.output;
  visit?.taken();
  await scene.clock.settle();
  return output === undefined ? undefined : JSON.parse(output);
}
