import { expect, test } from "vitest";

import type { Judge } from "../protection/judge-tool-use.ts";
import { refuseCommand } from "./refuse-command.ts";

const asks: Judge = async () => ({ action: "ask", reason: "This runs git." });
const isRefused = async (content: string, judgeUnasked = asks) =>
  (await refuseCommand(content, { judgeUnasked, cwd: "/work" }))?.reason === "error";

test("[R-5] a command that may run git is not sent while git is asked about", async () => {
  for (const command of ["/security-review", " \n/own of mine", "/a:b", "/x\ny", "/Compact"]) {
    expect([command, await isRefused(command)]).toEqual([command, true]);
    expect(await isRefused(command, async () => undefined)).toBe(false);
  }
});

test("a text that is not a command, or runs nothing, is sent", async () => {
  for (const text of [
    "Hello /security-review",
    "/work/a.txt is broken",
    "/",
    "/compact",
    "/model x",
  ]) {
    expect([text, await isRefused(text)]).toEqual([text, false]);
  }
});
