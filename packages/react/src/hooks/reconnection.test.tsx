import { ClientError } from "@holdpoint/client";
// @vitest-environment happy-dom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { renderConversation, stubLayout } from "../conversation/testing/render-conversation.tsx";

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const MOMENTS: readonly (readonly [string, () => boolean])[] = [
  ["the network comes back", () => window.dispatchEvent(new Event("online"))],
  ["the window gets the focus", () => window.dispatchEvent(new Event("focus"))],
  ["the page is seen again", () => document.dispatchEvent(new Event("visibilitychange"))],
];

test.each(MOMENTS)("a broken connection is retried at once when %s", async (_, happen) => {
  const { gateway } = await renderConversation();
  gateway.failure = new ClientError("CONNECTION_CLOSED", "Gone.");
  await act(async () => gateway.disconnect());
  gateway.failure = undefined;
  expect(gateway.streamCount).toBe(0);
  await act(async () => void happen());
  // No time passes here: without the event nothing would be tried.
  await vi.waitFor(() => expect(gateway.streamCount).toBe(1));
  expect(screen.queryByText(/Offline/)).toBeNull();
});
