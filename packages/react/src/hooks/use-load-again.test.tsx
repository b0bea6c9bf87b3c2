// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { createSeam, NotLoaded } from "../parts/seam.tsx";
import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useSession } from "./use-session.ts";

afterEach(cleanup);

test("a part that could not be loaded shows that, is loaded with the next connection, and from then on at once", async () => {
  let tries = 0;
  const { Part } = createSeam(async () => {
    tries += 1;
    if (tries < 3) throw new TypeError("Failed to fetch");
    return { Search: () => <p>Here it is.</p> };
  });
  const search = <Part of="Search" instead={NotLoaded} />;
  const { gateway, result } = renderInProvider(useSession, "session");
  const untilLive = () => vi.waitFor(() => expect(result.current.connection).toBe("live"));
  await untilLive();
  const { container } = render(search);
  const hint = /^A part of the page could not be loaded/;
  await screen.findByText(hint);
  expect(tries).toBe(1);
  for (const [times, text] of [
    [2, hint],
    [3, "Here it is."],
  ] as const) {
    await untilLive();
    gateway.failure = new ClientError("CONNECTION_CLOSED", "Gone.");
    await act(async () => gateway.disconnect());
    gateway.failure = undefined;
    await act(async () => void window.dispatchEvent(new Event("online")));
    await screen.findByText(text);
    await vi.waitFor(() => expect(tries).toBe(times));
  }
  expect(container.textContent).toBe("Here it is.");
  expect(render(search).container.textContent).toBe("Here it is.");
});
