import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toToolChanges } from "./tool-changes.ts";

describe("changes of a tool call", () => {
  test("a replacement of text is a change of its file", () => {
    const input = { file_path: "a.ts", old_string: "x", new_string: "" };
    expect(toToolChanges(input, [])).toEqual([{ path: "a.ts", before: "x", after: "" }]);
  });

  test("several edits are several changes, and malformed ones are left out", () => {
    const input = { file_path: "a", edits: [{ old_string: "x", new_string: "y" }, null, {}] };
    expect(toToolChanges(input, [])).toEqual([{ path: "a", before: "x", after: "y" }]);
  });

  test("a written file is a change from nothing", () => {
    expect(toToolChanges({ path: "a", content: "hi" }, [])).toEqual([{ path: "a", after: "hi" }]);
  });

  test("the change that the gateway computed is preferred, unless the person edited the input", () => {
    const change = { path: "a", before: "whole", after: "file" };
    const asked = { approval: { change } } as Interaction;
    const input = { file_path: "a", old_string: "o", new_string: "n" };
    expect(toToolChanges(input, [asked])).toEqual([change]);
    const edited = { ...asked, response: { action: "approve", editedInput: {} } } as Interaction;
    expect(toToolChanges(input, [edited])).toEqual([{ path: "a", before: "o", after: "n" }]);
  });

  test("a command has no known file changes", () => {
    expect(toToolChanges({ command: "rm x" }, [])).toEqual([]);
    expect(toToolChanges(undefined, [])).toEqual([]);
  });
});
