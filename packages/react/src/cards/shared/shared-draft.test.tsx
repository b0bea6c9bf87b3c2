// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import {
  aFormInteraction,
  anApprovalInteraction,
  aQuestionInteraction,
  FORMAT_QUESTION,
} from "../../testing/interactions.ts";
import { renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

/** Two cards of one interaction on one page, as in the inbox and in the conversation. */
async function renderTwice(interaction: Interaction, button: RegExp | string) {
  const rendered = renderCard(interaction, {
    wrap: (card) => (
      <>
        <div>{card}</div>
        <div>{card}</div>
      </>
    ),
  });
  await expect.poll(() => screen.queryAllByRole("button", { name: button }).length).toBe(2);
  rendered.arm();
  return rendered;
}
const both = (label: RegExp | string) =>
  screen.getAllByLabelText<HTMLInputElement>(label).map(({ value }) => value);
const typeIn = (place: number, label: RegExp | string, value: string) =>
  fireEvent.change(screen.getAllByLabelText(label)[place]!, { target: { value } });

describe("two cards of one interaction on one page", () => {
  test("[R-6] share the fields of a form, and each sends what both show", async () => {
    const { gateway } = await renderTwice(aFormInteraction(), "Submit");
    typeIn(0, "Version", "4.2.0");
    typeIn(1, /Share/, "25");
    fireEvent.click(screen.getAllByRole("radio", { name: "beta" })[1]!);
    fireEvent.click(screen.getAllByRole("radio", { name: "No" })[0]!);
    expect(both("Version")).toEqual(["4.2.0", "4.2.0"]);
    expect(both(/Share/)).toEqual(["25", "25"]);
    fireEvent.click(screen.getAllByRole("button", { name: "Submit" })[0]!);
    expect(gateway.sent).toMatchObject([
      { values: { version: "4.2.0", channel: "beta", announce: false, share: 25 } },
    ]);
  });

  test("[R-19] share a secret, which is not stored", async () => {
    const interaction = aFormInteraction({
      form: {
        schema: {
          type: "object",
          properties: { pin: { type: "string", title: "PIN", sensitive: true } },
        },
      },
    });
    const { drafts } = await renderTwice(interaction, "Submit");
    typeIn(0, /PIN/, "4711");
    expect(both(/PIN/)).toEqual(["4711", "4711"]);
    expect(drafts.read(interaction.interactionId)).not.toContain("4711");
  });

  test("share the chosen option, and the free text", async () => {
    await renderTwice(aQuestionInteraction(), "Skip");
    const { label } = FORMAT_QUESTION.options[0]!;
    const options = () => screen.getAllByRole<HTMLInputElement>("radio", { name: label });
    fireEvent.click(options()[1]!);
    expect(options().map(({ checked }) => checked)).toEqual([true, true]);
    typeIn(0, /in your own words/, "Something else");
    expect(both(/in your own words/)).toEqual(["Something else", "Something else"]);
    expect(options().map(({ checked }) => checked)).toEqual([false, false]);
  });

  test("[R-6] share an edited input", async () => {
    const { gateway } = await renderTwice(anApprovalInteraction({ editable: true }), /^Allow once/);
    fireEvent.click(screen.getAllByRole("button", { name: /^Edit/ })[0]!);
    const fields = () => screen.getAllByRole<HTMLTextAreaElement>("textbox");
    await expect.poll(() => fields().length).toBe(2);
    fireEvent.change(fields()[1]!, { target: { value: "npm run test:unit" } });
    expect(fields().map(({ value }) => value)).toEqual(["npm run test:unit", "npm run test:unit"]);
    expect(gateway.sent).toEqual([]);
  });

  test("begin with the text typed on the page, even without storage, and again after a reload", async () => {
    const drafts = createMemoryDrafts();
    const form = aFormInteraction();
    renderCard(form, { drafts });
    fireEvent.change(await screen.findByLabelText("Version"), { target: { value: "4.2.0" } });
    renderCard(form, { drafts });
    await expect.poll(() => screen.queryAllByLabelText("Version").length).toBe(2);
    expect(both("Version")).toEqual(["4.2.0", "4.2.0"]);
    cleanup();
    renderCard(form, { drafts });
    await screen.findByLabelText("Version");
    expect(both("Version")).toEqual(["4.2.0"]);
  });

  test("[R-15] share nothing with a card of another interaction", async () => {
    const drafts = createMemoryDrafts();
    renderCard(aFormInteraction(), { drafts });
    renderCard({ ...aFormInteraction(), interactionId: "other" }, { drafts });
    await expect.poll(() => screen.queryAllByLabelText("Version").length).toBe(2);
    typeIn(0, "Version", "4.2.0");
    expect(both("Version")[1]).not.toBe("4.2.0");
  });
});
