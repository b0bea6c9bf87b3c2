import { EventEmitter } from "node:events";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { CONNECTION_LIMITS, CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Credential } from "./auth/credential.ts";
import { FailureLimiter } from "./auth/failure-limiter.ts";
import { LaunchCodes } from "./auth/launch-codes.ts";
import { ProofNonces } from "./auth/proof-nonces.ts";
import { SendingBudget } from "./http/sending-budget.ts";
import {
  UnauthenticatedConnections,
  type UnauthenticatedSocket,
} from "./http/unauthenticated-connections.ts";
import { openWelcomed } from "./testing/open-socket.ts";
import { serve } from "./testing/serve.ts";
import { waitFor } from "./testing/wait-for.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const HEARTBEAT_MS = 15_000;

const JUMPS = [
  ["an hour back", -HOUR_MS],
  ["an hour on", HOUR_MS],
  ["a year back", -YEAR_MS],
  ["a year on", YEAR_MS],
] as const;

const AGENT: Credential = {
  tokenId: "tok_1",
  kind: "agent",
  principal: "agent",
  role: "viewer",
  person: "Ada",
  label: "One",
};

describe.each(JUMPS)("when the wall clock is set %s", (_name, jumpMs) => {
  test("[R-20] an address that guessed is blocked for exactly a minute", async () => {
    const clock = new SimulatedClock();
    const limiter = new FailureLimiter(clock);
    for (let index = 0; index < 10; index += 1) limiter.countFailure("a", `wrong ${index}`);
    clock.jumpWall(jumpMs);
    await clock.advance(MINUTE_MS - 1);
    expect(() => limiter.countFailure("a", "another")).toThrow("Too many wrong credentials");
    await clock.advance(1);
    limiter.countFailure("a", "another");
  });

  test("[R-20] a credential may send again when the time has passed", async () => {
    const clock = new SimulatedClock();
    const budget = new SendingBudget(clock);
    budget.take(AGENT, CREDENTIAL_LIMITS.agentBytesPerMinute);
    clock.jumpWall(jumpMs);
    expect(() => budget.take(AGENT, 1)).toThrow("too much");
    await clock.advance(MINUTE_MS);
    budget.take(AGENT, CREDENTIAL_LIMITS.agentBytesPerMinute);
  });

  test("[R-20] a new connection gets its time to sign in, and an old one does not get more", async () => {
    const clock = new SimulatedClock();
    const strangers = new UnauthenticatedConnections(clock);
    const ended: string[] = [];
    const add = (name: string): void => {
      const destroy = (): void => void ended.push(name);
      const socket = Object.assign(new EventEmitter(), { remoteAddress: "192.0.2.1", destroy });
      strangers.add(socket as unknown as UnauthenticatedSocket);
    };
    add("old");
    await clock.advance(CONNECTION_LIMITS.newMs);
    clock.jumpWall(jumpMs);
    for (let index = 0; index < CONNECTION_LIMITS.strangersPerSource; index += 1) add("new");
    expect(ended).toEqual(["old"]);
    clock.jumpWall(jumpMs);
    add("another");
    expect(ended).toEqual(["old"]);
  });

  test("a launch code is valid for ten minutes at most", async () => {
    const clock = new SimulatedClock();
    const codes = new LaunchCodes(clock);
    const code = codes.issue();
    clock.jumpWall(jumpMs);
    await clock.advance(10 * MINUTE_MS);
    expect(codes.redeem(code)).toBe(false);
  });

  test("a nonce is valid for four minutes at most, and there is always a valid one", async () => {
    const clock = new SimulatedClock();
    const nonces = new ProofNonces(clock);
    const old = nonces.current;
    clock.jumpWall(jumpMs);
    await clock.advance(4 * MINUTE_MS);
    expect(nonces.use(old, "1")).toBe("stale");
    expect(nonces.use(nonces.current, "2")).toBe("fresh");
    expect(nonces.use(nonces.current, "2")).toBe("replayed");
  });

  test("[R-18] a live socket stays, and a dead one ends", async () => {
    await using served = await serve({ streamLimits: { heartbeatMs: HEARTBEAT_MS } });
    const lively = await openWelcomed(served);
    served.clock.jumpWall(jumpMs);
    await served.clock.advance(HEARTBEAT_MS);
    expect(await lively.next()).toMatchObject({ type: "ping" });
    await waitFor(() => expect(lively.socket.readyState).toBe(lively.socket.OPEN));
    await lively.leave();

    const dead = await openWelcomed(served, { clientId: "cli_2" });
    dead.socket.pause();
    served.clock.jumpWall(jumpMs);
    for (let beat = 0; beat < 4; beat += 1) await served.clock.advance(HEARTBEAT_MS);
    await waitFor(() => expect(served.gateway.announced.get("cli_2")?.aborted).toBe(true));
    dead.socket.resume();
    await dead.closed;
  });
});
