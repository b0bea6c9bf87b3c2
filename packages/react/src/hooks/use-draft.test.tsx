// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { useHoldpoint } from "./provider.tsx";
import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useDraft } from "./use-draft.ts";

afterEach(cleanup);

test("typed text is kept at once, and removed when it is empty", () => {
  const drafts = createMemoryDrafts();
  const { result } = renderInProvider(useDraft, "one", { drafts });
  expect(result.current[0]).toBe("");
  act(() => result.current[1]("Half a sen"));
  expect([result.current[0], drafts.read("one")]).toEqual(["Half a sen", "Half a sen"]);
  act(() => result.current[1](""));
  expect(drafts.read("one")).toBeUndefined();
});

test("kept text is found again, and never under another key", () => {
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

test("text written by other code is shown", () => {
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
