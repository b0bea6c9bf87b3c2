// @vitest-environment happy-dom
import type { SessionEvent } from "@holdpoint/protocol";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useSession } from "./use-session.ts";

afterEach(cleanup);

function said(seq: number, text: string): SessionEvent {
  const message = { type: "assistant_message", messageId: `m${seq}`, channel: "text" } as const;
  return { ...message, seq, at: "2026-01-01T00:00:00.000Z", turnId: "turn", text };
}

const setUp = () =>
  renderInProvider((id: string) => [useSession(id), useSession(id)] as const, "session");

test("all users of a session share one stream, which ends with the last of them", async () => {
  const { result, gateway, unmount } = setUp();
  await vi.waitFor(() => expect(result.current[0].connection).toBe("live"));
  expect([gateway.streamCount, gateway.openedCount]).toEqual([1, 1]);
  act(() => gateway.append(said(1, "Hello")));
  await vi.waitFor(() => expect(result.current[0].view.items).toMatchObject([{ text: "Hello" }]));
  expect(result.current[1].view).toBe(result.current[0].view);
  unmount();
  await vi.waitFor(() => expect(gateway.streamCount).toBe(0));
});

test("events that a broken stream missed are there after a refresh, without waiting", async () => {
  const { result, gateway } = setUp();
  await vi.waitFor(() => expect(result.current[0].connection).toBe("live"));
  act(() => gateway.disconnect());
  await vi.waitFor(() => expect(result.current[0].connection).not.toBe("live"));
  gateway.log.push(said(1, "Missed"));
  act(() => result.current[0].refresh());
  await vi.waitFor(() => expect(result.current[0].view.items).toMatchObject([{ text: "Missed" }]));
});

test("a session that was left stays connected only while few others were viewed since", async () => {
  const { rerender, result, gateway } = setUp();
  for (const id of ["session", "two", "three", "four", "five", "six"]) {
    rerender(id);
    await vi.waitFor(() => expect(result.current[0].connection).toBe("live"));
  }
  // The session on screen, and at most three others.
  await vi.waitFor(() => expect(gateway.streamCount).toBeLessThan(5));
  expect(gateway.streamCount).toBeGreaterThan(1);
});

test("the past of a session is loaded page by page on request", async () => {
  const { rerender, result, gateway } = setUp();
  gateway.log.push(...Array.from({ length: 450 }, (_, index) => said(index + 1, `${index + 1}`)));
  rerender("long");
  const texts = () => result.current[0].view.items.map((item) => "text" in item && item.text);
  await vi.waitFor(() => expect(texts()).toHaveLength(200));
  await act(() => result.current[0].loadEarlier());
  expect([texts().length, texts()[0]]).toEqual([400, "51"]);
  await act(() => result.current[1].loadEarlier());
  expect([texts().length, texts()[0]]).toEqual([450, "1"]);
});
