import { expect, test } from "vitest";

import { listenOnFreePort } from "./listen.ts";

function fail(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Listens like a machine on which these ports are busy. */
function machine(busy: readonly number[]) {
  return async ({ port }: { port: number }) => {
    if (busy.includes(port)) throw fail("EADDRINUSE");
    return port;
  };
}

test("a busy default port gives way to the next free one, said aloud", async () => {
  const said: string[] = [];
  const request = { host: "127.0.0.1", port: 4870, portIsExplicit: false };
  const port = await listenOnFreePort(request, machine([4870, 4871]), (line) => said.push(line));
  expect(port).toBe(4872);
  expect(said).toEqual(["Port 4870 is busy; using 4872."]);
});

test("a busy port that was asked for is an error that names it", async () => {
  const request = { host: "127.0.0.1", port: 5000, portIsExplicit: true };
  await expect(listenOnFreePort(request, machine([5000]), () => {})).rejects.toThrow(
    /5000.*--port/,
  );
});

test.each(["EADDRNOTAVAIL", "EINVAL", "ENOTFOUND"])(
  "an address that is %s is named",
  async (code) => {
    const request = { host: "192.0.2.1", port: 5000, portIsExplicit: true };
    const listen = async () => {
      throw fail(code);
    };
    await expect(listenOnFreePort(request, listen, () => {})).rejects.toThrow("192.0.2.1");
  },
);
