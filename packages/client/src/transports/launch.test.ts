import { ProtocolError, toProblem } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createSimulatedClock } from "../testing/simulated-clock.ts";
import { exchangeLaunchCode } from "./launch.ts";

function exchange(response: Response) {
  const seen: { url: string; init: RequestInit }[] = [];
  const device = exchangeLaunchCode({
    baseUrl: "http://gateway.test",
    code: "one-time",
    label: "Phone",
    clock: createSimulatedClock(),
    fetch: async (input, init = {}) => {
      seen.push({ url: input as string, init });
      return response;
    },
  });
  return { device, seen };
}

test("a launch code is traded for a token, in the body and without a credential", async () => {
  const launched = { token: "secret", tokenId: "tok", person: "Ada" };
  const { device, seen } = exchange(new Response(JSON.stringify(launched)));
  expect(await device).toEqual(launched);
  const [{ url, init }] = seen as [(typeof seen)[0]];
  expect(url).toBe("http://gateway.test/api/auth/exchange");
  expect(init).toMatchObject({ method: "POST", body: '{"code":"one-time","label":"Phone"}' });
  expect(new Headers(init.headers).has("authorization")).toBe(false);
});

test("a code that was used is refused", async () => {
  const problem = toProblem(new ProtocolError("UNAUTHENTICATED", "This launch code was used."));
  const { device } = exchange(new Response(JSON.stringify(problem), { status: 401 }));
  await expect(device).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});
