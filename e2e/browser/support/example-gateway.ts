import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { callTool, openScriptedModel, say, type ModelBlock } from "@holdpoint/agents/testing";

import { Api, until } from "../../support/api.ts";
import { openLine } from "./line.ts";
import { test as base } from "./test.ts";

const ROOT = new URL("../../../", import.meta.url);

/** A gateway with tools and a real Claude that uses the test's scripted model. */
export interface ExampleGateway {
  /** The same address before and after a restart. */
  readonly url: string;
  nextLink(): Promise<string>;
  readonly api: Api;
  /** The working directory of its sessions. */
  readonly folder: string;
  /** Sends Claude one message, in a new session unless one is given. */
  ask(prompt: string, sessionId?: string): Promise<string>;
  /** The tool results that the model got last. */
  told(): unknown[];
  /** Resolves once that many turns of the session have ended. */
  turnsEnded(sessionId: string, count: number): Promise<void>;
  /** Kills the gateway and starts it again on the same data. */
  killAndRestart(): Promise<void>;
}

export interface ExampleOptions {
  /** The folder with `holdpoint.config.ts`, relative to the repository's root. */
  readonly path: string;
  readonly env?: Readonly<Record<string, string>>;
}

/* oxlint-disable no-empty-pattern -- Vitest reads the pattern to know what a fixture needs */
export const test = base
  .extend("folder", async ({ owned }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-example-")));
    for (const path of [folder, `${folder}.data`]) {
      owned.defer(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
    }
    return folder;
  })
  .extend("model", async ({ owned }) =>
    owned.use(await openScriptedModel(() => [say("Nothing to do.")])),
  )
  .extend("line", async ({ owned }) => owned.use(await openLine()))
  .extend(
    "startExample",
    async ({ folder, model, line, startGateway }) =>
      async ({ path, env = {} }: ExampleOptions): Promise<ExampleGateway> => {
        const start = async () => {
          const gateway = await startGateway({
            dataDir: `${folder}.data`,
            cwd: folder,
            args: ["--cwd", folder, "--config", configOf(path)],
            env: { ...model.env(join(folder, ".claude")), HOLDPOINT_PUBLIC_URL: line.url, ...env },
          });
          line.connectTo(Number(new URL(gateway.url).port));
          return gateway;
        };
        let gateway = await start();
        const api = new Api(line.url);
        return {
          url: line.url,
          nextLink: () => gateway.nextLink(),
          api,
          folder,
          async ask(prompt, known) {
            const sessionId = known ?? (await api.createSession({ agent: "claude" })).sessionId;
            await api.send(sessionId, prompt);
            return sessionId;
          },
          told: () =>
            (model.requests.at(-1)?.results ?? []).map(({ text }) => JSON.parse(text) as unknown),
          async turnsEnded(sessionId, count) {
            await until(async () => {
              const events = await api.events(sessionId);
              return events.filter(({ type }) => type === "turn_ended").length === count;
            }, `the end of turn ${count}`);
          },
          async killAndRestart() {
            await gateway.stop("SIGKILL");
            gateway = await start();
          },
        };
      },
  );
/* oxlint-enable no-empty-pattern */

function configOf(path: string): string {
  return fileURLToPath(new URL(`${path}/holdpoint.config.ts`, ROOT));
}

/** Claude's call of a gateway tool. */
export function callGatewayTool(name: string, args: Record<string, unknown>): ModelBlock {
  return callTool(`mcp__holdpoint__${name}`, args);
}
