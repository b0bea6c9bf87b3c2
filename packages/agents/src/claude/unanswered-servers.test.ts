import type { AgentEvent } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { UnansweredServers } from "./unanswered-servers.ts";

async function told(unheard: UnansweredServers): Promise<string[]> {
  const messages: string[] = [];
  const emit = async (event: AgentEvent): Promise<void> => {
    messages.push(event.type === "error" ? event.message : event.type);
  };
  await unheard.tell({ emit });
  return messages;
}

test("servers that ask between turns are reported in the next turn, once, however often they ask", async () => {
  const unheard = new UnansweredServers();
  expect(await told(unheard)).toEqual([]);
  unheard.note("files");
  for (let count = 1; count <= 10_000; count += 1) unheard.note("noisy");
  expect(await told(unheard)).toEqual([
    "files: It asked while the agent had no turn, so no one could be asked. The gateway replied that no one has decided.",
    expect.stringContaining("noisy: It asked 10000 times while"),
  ]);
  expect(await told(unheard)).toEqual([]);
});

test("ten thousand servers with long names are a few short lines", async () => {
  const unheard = new UnansweredServers();
  for (let count = 1; count <= 10_000; count += 1) unheard.note(`${count}${"x".repeat(10_000)}`);
  const messages = await told(unheard);
  expect(messages).toHaveLength(9);
  expect(messages.at(-1)).toContain("Other servers: It asked 9992 times");
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThan(300);
});

test("a failing log causes no failure here", async () => {
  const unheard = new UnansweredServers();
  unheard.note("files");
  await unheard.tell({ emit: () => Promise.reject(new Error("gone")) });
  expect(await told(unheard)).toEqual([]);
});
