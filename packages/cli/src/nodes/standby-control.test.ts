import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { prune } from "../commands/prune.ts";
import { askGateway } from "../control/ask-gateway.ts";
import { openStandbyControl } from "./standby-control.ts";

test("a standby node tells the command line which node works, and refers everything else to it", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "holdpoint-standby-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const clock = new SimulatedClock();
  let at: string | undefined = "10.0.0.2:4871";
  const url = "http://127.0.0.1:4870";
  await using _ = await openStandbyControl({ dataDir, url, clock, working: () => at });
  expect(await askGateway(dataDir, { command: "status" })).toMatchObject({
    url,
    node: { role: "standby", working: at },
  });
  expect(await askGateway(dataDir, { command: "url" })).toEqual({ url });
  const refused = [
    () => prune({ dataDir, json: false, dryRun: false }),
    () => askGateway(dataDir, { command: "link" }),
    () => askGateway(dataDir, { command: "pair" }),
    () => askGateway(dataDir, { command: "agent-token", label: "It" }),
  ];
  for (const ask of refused) await expect(ask()).rejects.toThrow("the working node, 10.0.0.2:4871");
  at = undefined;
  await expect(askGateway(dataDir, { command: "link" })).rejects.toThrow("no node is working");
});
