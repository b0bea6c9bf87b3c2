// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import { HoldpointProvider } from "@holdpoint/react";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { SignInEnd } from "./sign-in-end.tsx";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const HOUR_MS = 60 * 60 * 1000;

afterEach(cleanup);

test("the end of a sign-in is announced two days ahead, and not before", async () => {
  const overview = createLinkedOverview();
  const clock = { now: () => NOW, schedule: () => () => undefined };
  render(
    <HoldpointProvider
      transport={{ ...createLinkedGateway().transport, ...overview }}
      drafts={createMemoryDrafts()}
      uiClock={clock}
    >
      <SignInEnd />
    </HoldpointProvider>,
  );
  const endsIn = async (hours: number): Promise<void> => {
    const signInEndsAt = new Date(NOW + hours * HOUR_MS).toISOString();
    const person = { person: "Maria", personId: "per_1", role: "viewer", signInEndsAt } as const;
    await act(async () => overview.show({ type: "person", ...person }));
  };
  await act(async () => undefined);
  expect(screen.queryByRole("link")).toBeNull();
  await endsIn(49);
  expect(screen.queryByRole("link")).toBeNull();
  await endsIn(47);
  const link = screen.getByRole("link", { name: /^Your sign-in ends / });
  expect(link.getAttribute("href")).toBe("/devices");
});
