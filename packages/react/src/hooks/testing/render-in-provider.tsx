import { createMemoryDrafts, type DraftStorage, type Transport } from "@holdpoint/client";
import {
  createLinkedGateway,
  createLinkedOverview,
  createSimulatedClock,
  type LinkedGateway,
  type LinkedOverview,
  type SimulatedClock,
} from "@holdpoint/client/testing";
import { renderHook, type RenderHookResult } from "@testing-library/react";

import type { UiClock } from "../../parts/ui-clock.tsx";
import { HoldpointProvider } from "../provider.tsx";

interface Given {
  readonly transport?: Partial<Transport>;
  readonly drafts?: DraftStorage;
  readonly uiClock?: UiClock;
}

interface InProvider<TResult, TProps> extends RenderHookResult<TResult, TProps> {
  readonly gateway: LinkedGateway;
  readonly overview: LinkedOverview;
  readonly clientId: string;
  readonly clock: SimulatedClock;
}

/** A hook with a gateway of one session, whose overview the test controls. */
export function renderInProvider<TResult, TProps>(
  hook: (props: TProps) => TResult,
  initialProps: NoInfer<TProps>,
  { drafts = createMemoryDrafts(), uiClock, ...given }: Given = {},
): InProvider<TResult, TProps> {
  const gateway = createLinkedGateway();
  const overview = createLinkedOverview();
  const { followOverview } = overview;
  const transport: Transport = { ...gateway.transport, followOverview, ...given.transport };
  const clock = createSimulatedClock();
  const rendered = renderHook(hook, {
    initialProps,
    wrapper: ({ children }) => (
      <HoldpointProvider {...{ transport, drafts, clock }} {...(uiClock && { uiClock })}>
        {children}
      </HoldpointProvider>
    ),
  });
  return { ...rendered, gateway, overview, clock, clientId: transport.clientId };
}
