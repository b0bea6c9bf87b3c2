// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { APPROVALS } from "../../gallery/approval-specimens.ts";
import { FORMS } from "../../gallery/form-specimens.ts";
import { PAST } from "../../gallery/past-specimens.ts";
import { QUESTIONS } from "../../gallery/question-specimens.ts";
import type { Specimen } from "../../gallery/specimen.ts";
import { whatIsShown } from "../../gallery/what-is-shown.ts";
import { preloadConversation } from "../conversation/conversation-seam.ts";
import { NOW } from "../testing/interactions.ts";
import { renderCard } from "../testing/render-card.tsx";

await preloadConversation();
afterEach(cleanup);

/** Waits until nothing changes any longer. */
async function settle(container: Element): Promise<void> {
  for (let same = 0, before = ""; same < 4;) {
    await act(() => new Promise((resolve) => setImmediate(resolve)));
    same = container.innerHTML === before ? same + 1 : 0;
    before = container.innerHTML;
  }
}

const SPECIMENS: readonly Specimen[] = [...APPROVALS, ...QUESTIONS, ...FORMS, ...PAST];

/** The visible and audible content of a card in one of its states. */
async function showSpecimen({
  interaction,
  draft,
  press,
  covers: _covers,
  respond,
  ...options
}: Specimen): Promise<string> {
  const drafts = createMemoryDrafts();
  if (draft !== undefined) drafts.write(interaction.interactionId, JSON.stringify(draft));
  const { container, arm } = renderCard(interaction, {
    drafts,
    now: NOW,
    agentLabel: "Claude",
    onAskToCheck: () => Promise.resolve(),
    onDismiss: () => Promise.resolve(interaction),
    ...(respond !== undefined && { onRespond: respond }),
    ...options,
  });
  await settle(container);
  arm();
  if (press !== undefined) {
    const button = screen
      .getAllByRole("button")
      .find(({ textContent }) => textContent.replace(/[↵DA]$/u, "") === press);
    await act(async () => button?.click());
  }
  await settle(container);
  return whatIsShown(container);
}

test.each(SPECIMENS)("$name shows each of its figures", async (specimen) => {
  const shown = await showSpecimen(specimen);
  await expect(`${shown}\n`).toMatchFileSnapshot(
    `../../gallery/shown/${specimen.name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-")}.txt`,
  );
});
