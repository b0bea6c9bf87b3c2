import { join } from "node:path";

import { expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { writeNextRelease } from "./support/next-release.ts";
import { openNodes, roleOf, untilRole } from "./support/nodes.ts";

const pageOf = async ({ url }: { readonly url: string }): Promise<string> =>
  (await fetch(url, { headers: { accept: "text/html" } })).text();

test("[R-1] [R-2] [R-4] two releases run together: the newer one takes over when the older one ends, never the other way round", async () => {
  await using nodes = await openNodes();
  const release = await writeNextRelease(join(nodes.folder, "release"));
  const old = await nodes.start("old");
  const next = await nodes.start("next", release);
  const left = await nodes.start("left");
  expect(await Promise.all([old, next, left].map(roleOf))).toEqual([
    "working",
    "standby",
    "standby",
  ]);

  // While the older release works, everything stays as it was.
  const before = await nodes.report();
  expect(before).toMatchObject({ schema: release.schema - 1 });
  expect(await pageOf(next)).toBe(await pageOf(old));
  const first = new Api(next.url);
  const { sessionId } = await first.createSession({ agent: "demo" });
  await first.send(sessionId, "Ask me two questions");
  const asked = await pending(first, sessionId);
  const answered = await first.respond(asked.interactionId, { action: "submit", reply: "One" });
  expect(answered.status).toBe(200);
  await first.idle(sessionId);
  await first.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(first, sessionId);

  // A late node of the older release finds that the newer one works.
  left.process.kill("SIGSTOP");
  expect(await old.stop("SIGTERM")).toBe(0);
  await untilRole(next, "working");
  left.process.kill("SIGCONT");
  await untilRole(left, "standby");
  const working = await nodes.report();
  expect(working).toMatchObject({ schema: release.schema });
  expect(await pageOf(left)).toBe(release.page);
  await until(async () => left.stderr().includes("by a newer release"), "a line that says so");
  const answers = await Promise.all(
    [left, next].map(({ url }, index) =>
      new Api(url, { clientId: `page-${index}` }).respond(interactionId, {
        action: "submit",
        reply: "Two",
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const through = new Api(left.url);
  await until(
    async () => (await through.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  await expect(nodes.start("old again")).rejects.toThrow("was written by a newer release");

  // Without a node of the newer release, the older one still does not take the lease.
  await next.stop("SIGTERM");
  const last = await nodes.start("last", release);
  expect(await roleOf(last)).toBe("working");
  const { workingNode } = await nodes.report();
  expect(workingNode?.fence).toBe((working.workingNode?.fence ?? 0) + 1);
  await untilRole(left, "standby");
  const events = await through.events(sessionId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  for (const type of ["interaction_response", "interaction_delivered"]) {
    expect(events.filter((event) => event.type === type)).toHaveLength(2);
  }
});
