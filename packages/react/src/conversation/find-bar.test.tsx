// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ConversationHandle } from "./conversation.tsx";
import {
  renderConversation,
  stubLayout,
  toLog,
  type Bodies,
} from "./testing/render-conversation.tsx";

const COUNT = 700;

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function say(index: number): Bodies {
  const text = index % 100 === 3 ? `Message ${index}, a needle` : `Message ${index}`;
  return { type: "assistant_message", messageId: `m${index}`, text, channel: "text" };
}

async function open(log: readonly Bodies[]) {
  const ref = createRef<ConversationHandle>();
  const rendered = await renderConversation({ log: toLog(...log), props: { ref } });
  await act(async () => ref.current?.find());
  const field = await screen.findByRole("textbox", { name: "Find in this session" });
  return {
    ...rendered,
    type: (value: string) => fireEvent.change(field, { target: { value } }),
    press: (key: string, shiftKey = false) => fireEvent.keyDown(field, { key, shiftKey }),
    field,
  };
}

const count = () => document.querySelector(".hp-find-count")?.textContent;

test("text that is not loaded yet is found as well, newest first, and Enter wraps", async () => {
  const { type, press, field } = await open(
    Array.from({ length: COUNT }, (_, index) => say(index)),
  );
  expect(document.activeElement).toBe(field);
  type("NEEDLE");
  await waitFor(() => expect(count()).toBe("7 of 7"));
  press("Enter");
  expect(count()).toBe("1 of 7");
  press("Enter", true);
  press("Enter", true);
  expect(count()).toBe("6 of 7");
  fireEvent.click(screen.getByRole("button", { name: "Next match" }));
  expect(count()).toBe("7 of 7");
  type("message 699");
  await waitFor(() => expect(count()).toBe("1 of 1"));
  type("nowhere");
  await waitFor(() => expect(count()).toBe("Not found"));
  press("Escape");
  expect(screen.queryByRole("search")).toBeNull();
  expect(document.querySelector("[data-found]")).toBeNull();
});

test("the work of a sub-agent is opened where it is found", async () => {
  const inside = { toolCallId: "inner", toolName: "Bash", parentToolCallId: "outer" };
  const { type } = await open([
    { type: "tool_call", toolCallId: "outer", toolName: "Agent", input: { description: "Look" } },
    { type: "tool_call", ...inside, input: { command: "grep needle" } },
    { type: "tool_result", toolCallId: "inner", content: "none", isError: false },
    { type: "tool_result", toolCallId: "outer", content: "done", isError: false },
  ]);
  expect(document.querySelectorAll("[data-index]")).toHaveLength(1);
  type("needle");
  await waitFor(() => expect(count()).toBe("1 of 1"));
  await waitFor(() =>
    expect(document.querySelector("[data-found]")?.textContent).toContain("grep needle"),
  );
});
