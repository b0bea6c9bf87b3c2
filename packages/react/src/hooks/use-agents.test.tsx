// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import type { AgentInfo } from "@holdpoint/protocol";
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useAgents } from "./use-agents.ts";

afterEach(cleanup);

const DEMO = { agent: "demo", label: "Demo agent" } as AgentInfo;

test("the agents are absent until the gateway has sent them", async () => {
  const said = Promise.withResolvers<AgentInfo[]>();
  const transport = { listAgents: () => said.promise };
  const { result } = renderInProvider(useAgents, undefined, { transport });
  expect(result.current).toEqual({});
  said.resolve([DEMO]);
  await vi.waitFor(() => expect(result.current).toEqual({ agents: [DEMO] }));
});

test("a failed request for the agents is reported, and an unused one is aborted", async () => {
  const gone = new ClientError("CONNECTION_CLOSED", "Gone.");
  let signal: AbortSignal | undefined;
  const transport = {
    listAgents: (options: { signal?: AbortSignal } = {}) => {
      signal = options.signal;
      return Promise.reject(gone);
    },
  };
  const { result, unmount } = renderInProvider(useAgents, undefined, { transport });
  await vi.waitFor(() => expect(result.current.trouble?.title).toBeTruthy());
  expect(result.current.agents).toBeUndefined();
  unmount();
  expect(signal?.aborted).toBe(true);
});
