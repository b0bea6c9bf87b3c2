// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createSimulatedClock } from "@holdpoint/client/testing";
import type { Interaction, OverviewFrame, Person } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { HoldpointProvider } from "../../hooks/provider.tsx";
import { UiClockProvider } from "../../parts/ui-clock.tsx";
import { anApprovalInteraction, aResponder, NOW } from "../../testing/interactions.ts";
import { createSimulatedUiClock } from "../../testing/simulated-ui-clock.ts";
import { ConnectedCard } from "../connected-card.tsx";
import { preloadConversation } from "../conversation-seam.ts";

await preloadConversation();
afterEach(cleanup);

const issuer = "https://login.example/";
const MARIA: Person = {
  person: "Maria",
  personId: "per_maria",
  role: "responder",
  signIn: { issuer, subject: "maria", groups: ["ops"] },
};
const by = aResponder({ person: "Bob", personId: "per_bob" });

async function* overviewOf(person: Person | undefined, signal: AbortSignal) {
  const none = { items: [] };
  const counts = { pending: 0, expired: 0, orphaned: 0, sessions: 0, waitingSessions: 0 };
  const snapshot = {
    type: "snapshot",
    epoch: "e",
    counts,
    sessions: none,
    pending: none,
    late: none,
  };
  yield [
    snapshot,
    ...(person ? [{ type: "person", ...person }] : []),
  ] as unknown as OverviewFrame[];
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

/** A card on this person's page, and the page's requests. */
async function open(interaction: Interaction, person?: Person) {
  const sent: unknown[] = [];
  const gateway = createLinkedGateway();
  const answer = async (...call: unknown[]): Promise<Interaction> => {
    sent.push(call);
    return interaction;
  };
  const transport = {
    ...gateway.transport,
    followOverview: ({ signal }: { signal: AbortSignal }) => overviewOf(person, signal),
    addComment: answer,
    remind: answer,
    handOver: answer,
  } as unknown as Transport;
  await act(async () => {
    render(
      <HoldpointProvider
        transport={transport}
        drafts={createMemoryDrafts()}
        clock={createSimulatedClock()}
      >
        <UiClockProvider clock={createSimulatedUiClock(NOW)}>
          <ConnectedCard interaction={interaction} />
        </UiClockProvider>
      </HoldpointProvider>,
    );
  });
  return sent;
}

const region = () => screen.queryByRole("region", { name: "Comments on this request" });
const names = () =>
  [...(region()?.querySelectorAll("button") ?? [])].map((each) => each.textContent);

test("comments are not offered if no one would read them", async () => {
  await open(anApprovalInteraction({}));
  expect(region()).toBeNull();
});

test("a comment is for everyone who looks, and a program's ask offers one as well", async () => {
  const sent = await open(anApprovalInteraction({}, { hold: "kept" }));
  expect(names()).toEqual(["Remind", "Comment"]);
  fireEvent.click(screen.getByRole("button", { name: "Comment" }));
  expect(region()?.textContent).toContain("The program can read them.");
  fireEvent.change(screen.getByLabelText(/^Your comment/), { target: { value: " Which one? " } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Send comment" })));
  expect(sent).toEqual([["interaction-1", { text: "Which one?" }]]);
});

test("other people's comments are marked, on one line until opened, and name people who could not answer", async () => {
  const comments = [{ text: "Fine.\n\u202eYou have allowed it", by, outsider: true as const }];
  await open(anApprovalInteraction({}, { notes: { given: 1, comments } }), MARIA);
  expect(region()?.textContent).not.toContain("\u202e");
  expect(region()?.querySelector(".hp-comments")).toBeNull();
  expect(region()?.textContent).toContain("Bob · cannot answer it: Fine.");
  fireEvent.click(screen.getByRole("button", { name: "Comments (1)" }));
  expect(region()?.querySelector(".hp-comments")?.textContent).toContain("cannot answer it");
  cleanup();
  const program = [
    { text: "Checked. Allow it.", by: aResponder({ person: "ci: Maria" }), program: true as const },
  ];
  await open(anApprovalInteraction({}, { notes: { given: 1, comments: program } }), MARIA);
  expect(region()?.textContent).toContain("ci: Maria · the program: Checked.");
  // None of it stands in the card, which has the buttons.
  expect(document.querySelector("article")?.textContent).not.toMatch(/You have allowed it|Checked/);
});

test("only people who can approve can hand over, and a viewer may only remind", async () => {
  const steps = [{ who: [{ group: "managers", issuer }], afterMs: 3_600_000 }];
  const responders = { circles: [{ who: [{ group: "ops", issuer }], steps }] };
  const asked = anApprovalInteraction({}, { responders });
  const sent = await open(asked, MARIA);
  expect(names()).toEqual(["Remind", "Hand over", "Comment"]);
  fireEvent.click(screen.getByRole("button", { name: "Hand over" }));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "managers" })));
  expect(sent).toEqual([[asked.interactionId, { to: { group: "managers", issuer } }]]);
  expect(names()).toEqual(["Remind", "Hand over", "Comment"]);
  cleanup();
  await open(asked, { ...MARIA, role: "viewer", signIn: { issuer, subject: "vera", groups: [] } });
  expect(names()).toEqual(["Remind"]);
  cleanup();
  // Without later steps, it offers the people named by the policy, except for the person who hands it over.
  const named = { person: "bob@example.org", issuer };
  const circles = [{ who: [{ group: "ops", issuer }, named] }];
  await open(anApprovalInteraction({}, { responders: { circles } }), MARIA);
  fireEvent.click(screen.getByRole("button", { name: "Hand over" }));
  expect(names()).toEqual(["Remind", "Hand over", "Comment", named.person, "Hand over"]);
});

test("the person who handed over sees what that means for them", async () => {
  const responders = { circles: [{ who: [{ group: "ops", issuer }] }] };
  const to = { person: "bob@example.org", issuer };
  const said = async (
    person: Person,
    { instead, isBack, ...changes }: { instead?: true; isBack?: true } & Partial<Interaction> = {},
  ): Promise<string> => {
    const handed = {
      to,
      by: aResponder({ person: "Maria", personId: "per_maria" }),
      ...(instead && { instead }),
    };
    const back = {
      to: { person: "per_maria", issuer },
      back: true as const,
      by: aResponder({ person: "Holdpoint" }),
    };
    const notes = { given: 1, handOvers: isBack ? [handed, back] : [handed] };
    await open(anApprovalInteraction({}, { responders, notes, ...changes }), person);
    const text = region()?.querySelector(".hp-notes-line")?.textContent ?? "";
    cleanup();
    return text.trim();
  };
  expect(await said(MARIA, { instead: true })).toBe("You handed it over to bob@example.org.");
  expect(await said(MARIA)).toMatch(/but still assigned to you: too few others have signed in\.$/u);
  const other = { ...MARIA, personId: "per_eve" };
  expect(await said(other, { instead: true })).toBe("Maria handed it over to bob@example.org.");
  const isBack = { instead: true, isBack: true } as const;
  expect(await said(MARIA, isBack)).toBe(
    "Returned to you after it was handed over to bob@example.org: too few others could answer.",
  );
  expect(await said(other, isBack)).toMatch(
    /^Returned to Maria after it was handed over to bob@example\.org/u,
  );
  const over = { status: "withdrawn", closedReason: "Stopped." } as const;
  expect(await said(MARIA, over)).toBe("You handed it over to bob@example.org.");
});
