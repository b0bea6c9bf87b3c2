import type { FinishSignInBody } from "@holdpoint/protocol";

import type { Served } from "./serve.ts";
import { createKeyedDevice, type TestDevice } from "./test-device.ts";

type Place = Pick<Served<unknown>, "call" | "url">;
type KeyedDevice = ReturnType<typeof createKeyedDevice>;

/** A sign-in that a browser has begun. */
export interface Begun {
  readonly browser: KeyedDevice;
  /** The address that the browser goes to. */
  readonly url: string;
  readonly state: string;
}

/** Begins a sign-in, as a page does in a browser that has created a key. */
export async function beginSignIn(
  served: Place,
  issuerId: string,
  browser: KeyedDevice = createKeyedDevice(served),
): Promise<Begun> {
  const answer = await post(served, browser, "/api/auth/sign-ins", { issuerId });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  const { url, state } = (await answer.json()) as { url: string; state: string };
  return { browser, url, state };
}

/** Returns to the gateway with the issuer's answer. */
export function bringBack(
  served: Place,
  browser: KeyedDevice,
  body: FinishSignInBody,
): Promise<Response> {
  return post(served, browser, "/api/auth/sign-ins/finish", body);
}

/** The resulting device. */
export async function toDevice(
  served: Place,
  browser: KeyedDevice,
  answer: Response,
): Promise<TestDevice & { readonly person: string }> {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  const issued = (await answer.json()) as { token: string; tokenId: string; person: string };
  return { ...createKeyedDevice(served, { ...browser, ...issued }), person: issued.person };
}

async function post(
  served: Place,
  browser: KeyedDevice,
  path: string,
  content: object,
): Promise<Response> {
  const init = { method: "POST", body: JSON.stringify(content) };
  const dpop = await browser.prove({ ...init, path });
  return served.call(path, { ...init, token: null, headers: { dpop } });
}
