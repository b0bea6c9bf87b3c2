import { createMemoryDrafts, type DraftStorage, type Transport } from "@holdpoint/client";
import {
  createLinkedGateway,
  createSimulatedClock,
  type LinkedGateway,
} from "@holdpoint/client/testing";
import type { OverviewFrame, SessionEvent } from "@holdpoint/protocol";
import { act, render, screen, type RenderResult } from "@testing-library/react";
import { vi } from "vitest";

import { HoldpointProvider } from "../../hooks/provider.tsx";
import { preloadConversation } from "../conversation-seam.ts";
import { Conversation, type ConversationProps } from "../conversation.tsx";

// As on a fully loaded page.
await preloadConversation();

const VIEWPORT_PX = 600;

/** happy-dom has no layout: every element gets the height of a small window. */
export function stubLayout(): void {
  for (const name of ["offsetHeight", "clientHeight"] as const) {
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(VIEWPORT_PX);
  }
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(800);
}

export type Bodies = SessionEvent extends infer TEvent
  ? TEvent extends unknown
    ? Omit<TEvent, "seq" | "at">
    : never
  : never;

/** Events with their positions in the log, one second apart. */
export function toLog(...events: readonly Bodies[]): SessionEvent[] {
  return events.map((event, index) => ({
    ...event,
    seq: index + 1,
    at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
  }));
}

interface RenderConversationOptions {
  readonly log?: readonly SessionEvent[];
  readonly transport?: Partial<Transport>;
  readonly drafts?: DraftStorage;
  readonly props?: Partial<ConversationProps>;
}

interface RenderedConversation extends RenderResult {
  readonly gateway: LinkedGateway;
  readonly transport: Transport;
  readonly drafts: DraftStorage;
  readonly input: () => HTMLTextAreaElement;
}

/** A loaded conversation with a gateway of one session. Calls without an answer from the test stay pending. */
export async function renderConversation(
  options: RenderConversationOptions = {},
): Promise<RenderedConversation> {
  const gateway = createLinkedGateway();
  gateway.log.push(...(options.log ?? []));
  const drafts = options.drafts ?? createMemoryDrafts();
  const never = (): Promise<never> => new Promise(() => undefined);
  const transport: Transport = {
    ...gateway.transport,
    followOverview: (followed) => quietOverview(followed.signal),
    sendMessage: never,
    stopTurn: never,
    respond: never,
    ...options.transport,
  };
  const clock = createSimulatedClock();
  const rendered = render(
    <HoldpointProvider transport={transport} drafts={drafts} clock={clock}>
      <Conversation sessionId="session" {...options.props} />
    </HoldpointProvider>,
  );
  await vi.waitFor(() => {
    const region = screen.getByRole("region", { name: "Session" });
    if (region.getAttribute("aria-busy") !== "false") throw new Error("Not loaded.");
  });
  // The stream opens after the first page.
  await act(async () =>
    vi.waitFor(() => {
      if (gateway.streamCount === 0) throw new Error("No stream.");
    }),
  );
  const input = (): HTMLTextAreaElement => screen.getByRole("textbox", { name: "Message" });
  return { ...rendered, gateway, transport, drafts, input };
}

/** A stream over all sessions without events. */
async function* quietOverview(signal: AbortSignal): AsyncGenerator<readonly OverviewFrame[]> {
  const counts = { pending: 0, late: 0, sessions: 0, waitingSessions: 0, workingSessions: 0 };
  const empty = { sessions: { items: [] }, pending: { items: [] }, late: { items: [] } };
  yield [{ type: "snapshot", epoch: "epoch-1", counts, ...empty }];
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
