import { expect, test } from "vitest";

import type { GatewayStatus } from "../control/control-message.ts";
import { checkGateway } from "./check-gateway.ts";
import { checkProgram } from "./check-program.ts";
import { checkTools } from "./check-tools.ts";
import type { Scene } from "./read-scene.ts";

const PATH = "/p\u001b[2J";

async function findWith(status: Partial<GatewayStatus>) {
  const gateway = { is: "running", status: { url: "http://127.0.0.1:4870", tools: [], ...status } };
  const found = await checkTools({ gateway } as unknown as Scene);
  return found.slice(1).map(({ status: mark, text, remedy }) => `${mark}: ${text} ${remedy}`);
}

test("the doctor names an open question about the folder's files, and the place to answer it", async () => {
  expect(await findWith({})).toEqual([]);
  expect(await findWith({ folder: { path: "/p", waiting: 2, inTerminal: true } })).toEqual([
    'note: 2 files of "/p" are not loaded: the gateway asks whether you trust them. Answer in the gateway\'s own terminal, or on the page at http://127.0.0.1:4870/folder.',
  ]);
  expect(await findWith({ folder: { path: PATH, waiting: 1, inTerminal: false } })).toEqual([
    `note: 1 file of ${JSON.stringify(PATH)} is not loaded: the gateway asks whether you trust them. Answer on the page at http://127.0.0.1:4870/folder.`,
  ]);
});

test("the doctor explains why no new files of the folder can be loaded", async () => {
  const folder = { path: "/p", waiting: 0, inTerminal: false, problem: "It is too large." };
  expect(await findWith({ folder })).toEqual([
    'problem: "/p": "It is too large." Correct the folder: nothing new in it is loaded before that.',
  ]);
});

test("the doctor names a file that is missing from the installation", async () => {
  const scene = { gateway: { is: "none" }, packageFiles: [import.meta.filename, "/no/judge.mjs"] };
  const found = await checkProgram(scene as unknown as Scene);
  expect(found.filter(({ status }) => status === "problem")).toMatchObject([
    {
      text: "/no/judge.mjs cannot be read (ENOENT): the installation is incomplete.",
      remedy: expect.stringContaining("Install Holdpoint again") as string,
    },
  ]);
});

test("the doctor does not stop a gateway that is still starting", () => {
  const gateway = { is: "unreachable", reason: "ENOENT" };
  const [finding] = checkGateway({ gateway, settings: { dataDir: "/d" } } as unknown as Scene);
  expect(finding?.remedy).toMatch(/^If it has just been started, wait/u);
});
