// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { createSeam } from "../parts/seam.tsx";
import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useOverview } from "./use-overview.ts";

afterEach(cleanup);

function createSession(sessionId: string, title: string): Session {
  const at = "2026-01-01T00:00:00.000Z";
  const agent = { agent: "demo", cwd: "/work", permissionMode: "default" };
  return { ...agent, sessionId, title, status: "idle", createdAt: at, updatedAt: at, lastSeq: 0 };
}

const setUp = (transport = {}) => renderInProvider(useOverview, undefined, { transport });

test("the gateway's overview is there, as the same object until it changes", async () => {
  const { result, rerender, overview } = setUp();
  await vi.waitFor(() => expect(result.current.connection).toBe("live"));
  const before = result.current.overview;
  rerender();
  expect(result.current.overview).toBe(before);
  const session = createSession("ses_1", "Billing");
  act(() => overview.show({ type: "session_changed", session }));
  await vi.waitFor(() =>
    expect(result.current.overview.sessions).toMatchObject([{ title: "Billing" }]),
  );
  act(() => overview.show({ type: "session_deleted", sessionId: "ses_1" }));
  await vi.waitFor(() => expect(result.current.overview.sessions).toEqual([]));
});

test("a session beyond the first page is loaded on request, and a failure is returned to the caller", async () => {
  let failure: Error | undefined = new ClientError("CONNECTION_CLOSED", "Gone.");
  const session = createSession("ses_far", "Far");
  const { result } = setUp({
    getSession: () => (failure ? Promise.reject(failure) : Promise.resolve(session)),
  });
  await vi.waitFor(() => expect(result.current.connection).toBe("live"));
  await expect(result.current.loadSession("ses_far")).rejects.toBe(failure);
  failure = undefined;
  await act(() => result.current.loadSession("ses_far"));
  expect(result.current.overview.sessions).toMatchObject([{ title: "Far" }]);
});

test("code that could not be loaded is loaded with the connection", async () => {
  let tries = 0;
  const { Part, Trouble } = createSeam(async () => {
    tries += 1;
    if (tries === 1) throw new TypeError("Failed to fetch");
    return { Search: () => <p>Here it is.</p> };
  });
  render(
    <>
      <Trouble />
      <Part of="Search" />
    </>,
  );
  await screen.findByText(/^A part of the page could not be loaded/);
  setUp();
  await screen.findByText("Here it is.");
  expect(tries).toBe(2);
});
