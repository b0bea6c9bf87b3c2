import { expect, test } from "vitest";

import { listenOnPort } from "./listen.ts";

function fail(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("a busy port is an error that names it and suggests another, and no other is tried", async () => {
  const tried: number[] = [];
  const listen = async ({ port }: { port: number }) => {
    tried.push(port);
    throw fail("EADDRINUSE");
  };
  await expect(listenOnPort({ host: "127.0.0.1", port: 4870 }, listen)).rejects.toThrow(
    /^Port 4870 is in use.*--port 0/,
  );
  expect(tried).toEqual([4870]);
});

test.each(["EADDRNOTAVAIL", "EINVAL", "ENOTFOUND"])(
  "an address that is %s is named",
  async (code) => {
    const listen = async () => {
      throw fail(code);
    };
    await expect(listenOnPort({ host: "192.0.2.1", port: 5000 }, listen)).rejects.toThrow(
      "192.0.2.1",
    );
  },
);
