// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { useHoldpoint } from "./provider.tsx";
import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useDraft } from "./use-draft.ts";

afterEach(cleanup);

test("what is typed is kept at once, and removed where nothing is left of it", () => {
  const drafts = createMemoryDrafts();
  const { result } = renderInProvider(useDraft, "one", { drafts });
  expect(result.current[0]).toBe("");
  act(() => result.current[1]("Half a sen"));
  expect([result.current[0], drafts.read("one")]).toEqual(["Half a sen", "Half a sen"]);
  act(() => result.current[1](""));
  expect(drafts.read("one")).toBeUndefined();
});

test("what was kept is found again, and never under another key", () => {
  const drafts = createMemoryDrafts();
  drafts.write("one", "First");
  drafts.write("two", "Second");
  const { result, rerender } = renderInProvider(useDraft, "one", { drafts });
  expect(result.current[0]).toBe("First");
  rerender("two");
  expect(result.current[0]).toBe("Second");
  act(() => result.current[1]("Third"));
  expect([drafts.read("one"), drafts.read("two")]).toEqual(["First", "Third"]);
});

test("what something else has written is shown", () => {
  const drafts = createMemoryDrafts();
  const { result } = renderInProvider(
    () => ({ draft: useDraft("one"), context: useHoldpoint() }),
    undefined,
    { drafts },
  );
  act(() => {
    drafts.write("one", "Session restored");
    result.current.context.draftChanges.dispatchEvent(new Event("one"));
  });
  expect(result.current.draft[0]).toBe("Session restored");
});
