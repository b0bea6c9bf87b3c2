import { describe, expect, test } from "vitest";

import { Pairings } from "../credentials/pairings.ts";
import { createSystemIds } from "../lib/system-ids.ts";
import { approval, askOnce, never, openFixture } from "../testing/gateway-fixture.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const MINUTE_MS = 60_000;

const JUMPS = [
  ["an hour back", -HOUR_MS],
  ["an hour on", HOUR_MS],
  ["a year back", -YEAR_MS],
  ["a year on", YEAR_MS],
] as const;

describe.each(JUMPS)("when the wall clock is set %s", (_name, jumpMs) => {
  test("[R-5] [R-20] a session can ask at once, as many at a time as before", async () => {
    const fixture = await openFixture(async (message, context) => {
      const asks = Array.from({ length: 5 }, (_, index) =>
        context.hold(approval(`${message.messageId}-${index}`), { signal: never }),
      );
      await Promise.all(asks);
      return { reason: "done" };
    });
    await using _ = fixture;
    const first = await fixture.createSession();
    await fixture.send(first, "one");
    expect(await fixture.interactions("pending")).toHaveLength(5);
    await fixture.gateway.stopTurn({ principal: "person", person: "Ada", client: "laptop" }, first);
    await fixture.clock.advance(1000);
    fixture.clock.jumpWall(jumpMs);
    await fixture.send(first, "two");
    await fixture.clock.advance(20_000);
    expect(await fixture.interactions("pending")).toHaveLength(5);
  });

  test("[R-18] a turn that does not stop is forced to after ten seconds", async () => {
    const fixture = await openFixture(() => new Promise(() => undefined));
    await using _ = fixture;
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.stopTurn(
      { principal: "person", person: "Ada", client: "laptop" },
      sessionId,
    );
    fixture.clock.jumpWall(jumpMs);
    await fixture.clock.advance(9999);
    expect(await fixture.eventTypes(sessionId)).not.toContain("turn_ended");
    await fixture.clock.advance(1);
    expect(await fixture.eventTypes(sessionId)).toContain("turn_ended");
  });

  test("[R-3] [R-5] a deadline is the instant that was shown, and is noticed within a minute", async () => {
    const fixture = await openFixture(askOnce((id) => approval(id, { timeoutMs: 2 * MINUTE_MS })));
    await using _ = fixture;
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    fixture.clock.jumpWall(jumpMs);
    await fixture.clock.advance(MINUTE_MS);
    const isOver = jumpMs > 0;
    expect(await fixture.interactions("expired")).toHaveLength(isOver ? 1 : 0);
    const [pending] = await fixture.interactions("pending");
    expect(pending?.remainingMs).toBe(isOver ? undefined : MINUTE_MS - jumpMs);
    fixture.clock.jumpWall(-jumpMs);
    await fixture.clock.advance(MINUTE_MS + 10_000);
    expect(await fixture.interactions("expired")).toHaveLength(1);
  });

  test("a pairing code is valid for five minutes at most", async () => {
    const clock = new SimulatedClock();
    const pairings = new Pairings({ clock, ids: createSystemIds() });
    const { code } = pairings.create();
    await clock.advance(2 * MINUTE_MS);
    clock.jumpWall(jumpMs);
    await clock.advance(3 * MINUTE_MS);
    expect(pairings.redeem(code)).toBeUndefined();
  });
});
