// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useInteractionMode } from "./use-interaction-mode.ts";

afterEach(cleanup);

test("[R-13] the gateway decides whether this client may answer, not the pressed button", async () => {
  const asked: boolean[] = [];
  const transport = { setInteractionMode: async (enabled: boolean) => void asked.push(enabled) };
  const { result, overview, clientId } = renderInProvider(useInteractionMode, undefined, {
    transport,
  });
  await act(() => result.current.setEnabled(false));
  expect([asked, result.current.enabled]).toEqual([[false], true]);
  const clients = [
    { clientId: "another", interactionEnabled: true },
    { clientId, interactionEnabled: false },
  ];
  await act(async () => overview.show({ type: "presence", available: true, clients } as never));
  await vi.waitFor(() => expect(result.current.enabled).toBe(false));
});

test("[R-13] a change that did not reach the gateway changes nothing, and is shown until the next try", async () => {
  let failure: Error | undefined = new ClientError("CONNECTION_CLOSED", "Gone.");
  const transport = {
    setInteractionMode: () => (failure ? Promise.reject(failure) : Promise.resolve()),
  };
  const { result } = renderInProvider(useInteractionMode, undefined, {
    transport,
  });
  await act(() => result.current.setEnabled(false));
  expect(result.current.enabled).toBe(true);
  expect(result.current.trouble?.title).toBeTruthy();
  failure = undefined;
  await act(() => result.current.setEnabled(false));
  expect(result.current.trouble).toBeUndefined();
});
