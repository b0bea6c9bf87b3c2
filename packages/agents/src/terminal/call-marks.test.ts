import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { CallMarks, type TerminalCall } from "./call-marks.ts";

const clock = new SimulatedClock();
const call: TerminalCall = {
  session: "../../../one",
  cwd: "/work/shop",
  toolName: "Bash",
  input: { command: "rm -rf build" },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "marks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** The marks as a new gateway opens them: its only data is in the folder. */
function open(): CallMarks {
  return new CallMarks({ folder, clock, kind: "passes" });
}

test("[R-6] a pass survives a restart, and is used once by any number of gateways", async () => {
  await open().put(call, "a-1");
  const all = Array.from({ length: 50 }, () => open().take(call));
  const got = (await Promise.all(all)).filter((text) => text !== undefined);
  expect(got).toEqual(["a-1"]);
  expect(await open().take(call)).toBeUndefined();
});

test("[R-6] [R-14] an expired pass stays expired after a restart, and its file is removed", async () => {
  await open().put(call);
  await clock.advance(10 * 60 * 1000);
  expect(await open().take(call)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
  await open().put(call);
  await clock.advance(10 * 60 * 1000);
  await open().removeOld();
  expect(await readdir(folder)).toEqual([]);
});

const changes: readonly Partial<TerminalCall>[] = [
  { session: "one" },
  { session: "../../../one\0" },
  { cwd: "/work/shop/" },
  { toolName: "bash" },
  { agentId: "sub" },
  { input: { command: "rm -rf build " } },
  { input: { command: ["rm -rf build"] } },
  { input: { command: "rm -rf build", run_in_background: true } },
  { input: {} },
  { input: { command: "x".repeat(1_000_000) } },
];

test("[R-6] a call that differs in anything has no pass, and uses none up", async () => {
  await open().put(call);
  const takes = changes.map((change) => open().take({ ...call, ...change }));
  expect(await Promise.all(takes)).toEqual(changes.map(() => undefined));
  expect(await open().take(call)).toBe("");
});

test("[R-5] a denial is no pass, and neither is a folder or a link in place of a file", async () => {
  await new CallMarks({ folder, clock, kind: "denied" }).put(call);
  expect(await open().take(call)).toBeUndefined();
  await open().put(call);
  const [name = ""] = (await readdir(folder)).filter((one) => one.endsWith(".passes"));
  // A folder in its place, or a link to another folder: neither is accepted or followed.
  await rename(join(folder, name), join(folder, "moved"));
  await mkdir(join(folder, name));
  expect(await open().take(call)).toBeUndefined();
  await rm(join(folder, name), { recursive: true });
  await writeFile(join(folder, "secret"), "s3cret");
  await symlink(join(folder, "gone"), join(folder, name));
  expect(await open().take(call)).toBeUndefined();
  expect(await readdir(folder)).toContain("secret");
});
