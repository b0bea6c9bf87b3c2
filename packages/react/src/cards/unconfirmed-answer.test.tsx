// @vitest-environment happy-dom
import type { Interaction } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { anApprovalInteraction } from "../testing/interactions.ts";
import { answeredHere, renderCard } from "../testing/render-card.tsx";
import { preloadCards } from "./cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const pending = anApprovalInteraction();

/** A card whose answer was not confirmed, and the gateway's reply when it is back. */
async function breakOff() {
  const checks: AbortSignal[] = [];
  const back = Promise.withResolvers<Interaction>();
  const rendered = renderCard(pending, {
    onCheck: (signal) => {
      checks.push(signal);
      return back.promise;
    },
  });
  await screen.findByRole("button", { name: /Allow once/ });
  rendered.arm();
  fireEvent.click(screen.getByRole("button", { name: /Allow once/ }));
  await rendered.gateway.breakOff();
  expect(rendered.container.textContent).toContain("The gateway may not have received it.");
  return {
    ...rendered,
    checks,
    back: (found: Interaction) => act(async () => back.resolve(found)),
  };
}

describe("an unconfirmed answer", () => {
  test("[R-2] is not sent, as soon as the gateway reports it as still pending", async () => {
    const { container, back, gateway } = await breakOff();
    await back(pending);
    expect(container.textContent).not.toContain("may not have received it");
    expect(container.textContent).toContain(
      "The gateway does not have it. Your answer is kept here.",
    );
    fireEvent.click(screen.getByRole("button", { name: /Try again|Retry/ }));
    expect(gateway.sent).toHaveLength(2);
    expect(gateway.sent[1]).toEqual(gateway.sent[0]);
  });

  test("[R-1] is answered, as soon as the gateway reports that", async () => {
    const { container, back, gateway, headline } = await breakOff();
    await back(answeredHere(pending, gateway.sent[0]!));
    await waitFor(() => expect(headline()).toMatch(/^Submitted/));
    expect(container.textContent).not.toContain("may not have received it");
  });

  test("is no longer checked once the interaction has changed", async () => {
    const { checks, show, gateway } = await breakOff();
    expect(checks).toHaveLength(1);
    show(answeredHere(pending, gateway.sent[0]!));
    expect(checks[0]!.aborted).toBe(true);
  });

  test("is uncertain as long as the gateway does not respond", async () => {
    const { container, wait } = await breakOff();
    wait(60_000);
    expect(container.textContent).toContain("The gateway may not have received it.");
  });
});
