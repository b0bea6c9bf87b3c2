import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { FileChange, Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { hasChangedNothing } from "./has-changed-nothing.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "unchanged-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function approved(
  toolName: string,
  change?: Omit<FileChange, "path">,
  editedInput?: Record<string, unknown>,
): Interaction {
  const path = join(folder, "a.txt");
  return {
    toolName,
    approval: change && { change: { path, ...change } },
    response: { action: "approve", ...(editedInput && { editedInput }) },
  } as unknown as Interaction;
}
const hold = (text: string): void => writeFileSync(join(folder, "a.txt"), text);

describe("[R-4] an approved call of an agent that has ended", () => {
  test.each(["Edit", "Write", "NotebookEdit"])(
    "has changed nothing by %s as long as the file is as shown",
    async (toolName) => {
      hold("one\r\n");
      const call = approved(toolName, { before: "one\r\n", after: "two\r\n" });
      expect(await hasChangedNothing(call)).toBe(true);
      for (const text of ["two\r\n", "one\n", "one\r\ntw", ""]) {
        hold(text);
        expect(await hasChangedNothing(call)).toBe(false);
      }
      rmSync(join(folder, "a.txt"));
      expect(await hasChangedNothing(call)).toBe(false);
    },
  );

  test("has changed nothing by creating a file as long as the file is missing", async () => {
    const call = approved("Write", { after: "" });
    expect(await hasChangedNothing(call)).toBe(true);
    hold("");
    expect(await hasChangedNothing(call)).toBe(false);
  });

  test("may have changed something that its card did not show", async () => {
    hold("one");
    const edited = approved("Edit", { before: "one", after: "two" }, { file_path: "/b.txt" });
    for (const call of [edited, approved("Edit"), approved("Bash"), approved("WebFetch")]) {
      expect(await hasChangedNothing(call)).toBe(false);
    }
  });

  test.each(["ExitPlanMode", "Read", "Glob", "Grep"])("changes nothing by %s", async (toolName) => {
    expect(await hasChangedNothing(approved(toolName))).toBe(true);
  });
});
