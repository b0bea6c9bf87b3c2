import { ProtocolError, toProblem } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createSimulatedClock } from "../../testing/simulated-clock.ts";
import { createTestIdentity, type TestIdentity } from "../../testing/test-identity.ts";
import { createDeviceKey } from "./device-key.ts";
import { exchangeLaunchCode } from "./exchange-launch-code.ts";

interface Sent {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

const BASE_URL = "http://gateway.test";

/** Signs in at the server with `identity`, with a link of `gateway`; `answer` is the response to the code. */
async function exchange(identity: TestIdentity, gateway: string | undefined, answer: Response) {
  const sent: Sent[] = [];
  const device = exchangeLaunchCode({
    baseUrl: BASE_URL,
    code: "one-time",
    gateway,
    label: "Phone",
    key: await createDeviceKey(),
    clock: createSimulatedClock(),
    fetch: async (input, init = {}) => {
      const path = new URL(input as string).pathname;
      const body = init.body as string;
      sent.push({ path, headers: new Headers(init.headers), body });
      if (path === "/api/auth/hello") return identity.answer(body);
      return answer;
    },
  });
  return { device, sent };
}

const issued = () => new Response(JSON.stringify({ token: "secret", tokenId: "tok" }));

test("a launch code is exchanged for a token, in the body, with a proof and without a credential", async () => {
  const identity = await createTestIdentity();
  const { device, sent } = await exchange(identity, identity.thumbprint, issued());
  expect(await device).toMatchObject({
    token: "secret",
    tokenId: "tok",
    gateway: identity.thumbprint,
  });
  expect(sent.map(({ path }) => path)).toEqual(["/api/auth/hello", "/api/auth/exchange"]);
  const { headers, body } = sent[1]!;
  expect(JSON.parse(body)).toEqual({ code: "one-time", label: "Phone" });
  expect(headers.has("authorization")).toBe(false);
  expect(headers.get("dpop")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
});

test("a used code is refused", async () => {
  const identity = await createTestIdentity();
  const problem = toProblem(new ProtocolError("UNAUTHENTICATED", "This launch code was used."));
  const refused = new Response(JSON.stringify(problem), { status: 401 });
  const { device } = await exchange(identity, identity.thumbprint, refused);
  await expect(device).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("a code is sent only to the link's gateway", async () => {
  const [one, other] = [await createTestIdentity(), await createTestIdentity()];
  const { device, sent } = await exchange(other, one.thumbprint, issued());
  await expect(device).rejects.toMatchObject({ code: "GATEWAY_UNKNOWN" });
  expect(sent.map(({ path }) => path)).toEqual(["/api/auth/hello"]);
  expect(JSON.stringify(sent)).not.toContain("one-time");
});
