import { createMemoryDrafts, type DraftStorage } from "@holdpoint/client";
import type { Interaction, Problem, RespondBody, RespondResult } from "@holdpoint/protocol";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";

import type { InteractionCardProps } from "../cards/card-props.ts";
import { InteractionCard } from "../cards/interaction-card.tsx";
import { AnnouncerProvider } from "../parts/announcer.tsx";
import { UiClockProvider } from "../parts/ui-clock.tsx";
import { aResponder, HERE, NOW } from "./interactions.ts";
import { createSimulatedUiClock } from "./simulated-ui-clock.ts";

/** A gateway that answers when the test decides. */
function createScriptedGateway() {
  const sent: RespondBody[] = [];
  const waiting: PromiseWithResolvers<RespondResult>[] = [];
  const settle = (run: (next: PromiseWithResolvers<RespondResult>) => void) =>
    act(async () => {
      const next = waiting.shift();
      if (next === undefined) throw new Error("Nothing was sent.");
      run(next);
    });
  return {
    sent,
    onRespond: (body: RespondBody): Promise<RespondResult> => {
      sent.push(body);
      const next = Promise.withResolvers<RespondResult>();
      waiting.push(next);
      return next.promise;
    },
    accept: (interaction: Interaction) =>
      settle((next) => next.resolve({ status: "accepted", interaction })),
    refuse: (problem: Partial<Problem> & Pick<Problem, "code">) =>
      settle((next) =>
        next.resolve({
          status: "refused",
          problem: {
            type: "about:blank",
            title: "",
            status: 409,
            detail: "",
            retryable: false,
            ...problem,
          },
        }),
      ),
    breakOff: () => settle((next) => next.reject(new Error("socket closed"))),
  };
}

interface RenderCardOptions extends Partial<Omit<InteractionCardProps, "interaction" | "drafts">> {
  readonly drafts?: DraftStorage;
  /** Wraps the card in other elements. */
  readonly wrap?: (children: ReactNode) => ReactNode;
}

/** A card with its surroundings: simulated clock (already armed), memory drafts, scripted gateway. */
export function renderCard(interaction: Interaction, options: RenderCardOptions = {}) {
  const clock = createSimulatedUiClock(NOW);
  const gateway = createScriptedGateway();
  const { drafts = createMemoryDrafts(), wrap = (children) => children, ...rest } = options;
  const element = (shown: Interaction, over: Partial<InteractionCardProps> = {}) => (
    <UiClockProvider clock={clock}>
      <AnnouncerProvider>
        <InteractionCard
          interaction={shown}
          clientId={HERE}
          canRespond
          onRespond={gateway.onRespond}
          drafts={drafts}
          {...rest}
          {...over}
        />
      </AnnouncerProvider>
    </UiClockProvider>
  );
  const view = render(wrap(element(interaction)));
  const wait = (ms: number) => act(() => clock.advance(ms));
  return {
    ...view,
    clock,
    gateway,
    drafts,
    wait,
    arm: () => wait(500),
    show: (shown: Interaction, over?: Partial<InteractionCardProps>) =>
      view.rerender(wrap(element(shown, over))),
    /** Renders the same card in other surroundings. */
    rewrap: (around: typeof wrap) => view.rerender(around(element(interaction))),
    card: () => view.container.querySelector<HTMLElement>("article")!,
    /** The headline of a finished card. */
    headline: () => view.container.querySelector(".hp-done-headline")?.textContent ?? "",
    announced: () => view.container.querySelector("[data-hp-announcer]")?.textContent ?? "",
  };
}

/** The gateway's interaction after this client's response won. */
export function answeredHere(interaction: Interaction, body: RespondBody): Interaction {
  const { digest: _digest, idempotencyKey: _key, ...response } = body;
  return {
    ...interaction,
    status: "answered",
    response,
    by: aResponder({ clientId: HERE, client: "Firefox on Linux" }),
  };
}
