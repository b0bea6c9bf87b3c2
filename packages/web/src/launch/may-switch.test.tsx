// @vitest-environment happy-dom
import { ClientError, type SignedInDevice } from "@holdpoint/client";
import { type Person, ProtocolError } from "@holdpoint/protocol";
import { translateTo } from "@holdpoint/react/words";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";

import { loadPageLanguage } from "../words/page-language.ts";
import { SwitchPerson } from "./ask-to-switch.tsx";
import { maySwitch } from "./may-switch.ts";

afterEach(cleanup);

const device = (tokenId: string) => ({ tokenId }) as SignedInDevice;
const ada: Person = { person: "Ada", personId: "per_ada", role: "owner" };
const bob: Person = { person: "Bob", personId: "per_bob", role: "viewer" };
const owner: Person = { person: "dev", role: "owner" };

function open(before: Person | Error, next: Person, answer = false) {
  const asked: string[] = [];
  const revoked: string[] = [];
  const done = maySwitch(device("before"), device("next"), {
    async readPerson({ tokenId }) {
      const found = tokenId === "before" ? before : next;
      if (found instanceof Error) throw found;
      return found;
    },
    async ask(from, to) {
      asked.push(`${from.person} → ${to.person}`);
      return answer;
    },
    async revoke({ tokenId }) {
      revoked.push(tokenId);
    },
  });
  return { done, asked, revoked };
}

describe("a link opened in a browser that is signed in", () => {
  test.each([
    ["another person", ada, bob],
    ["the owner of the launch link", ada, owner],
    ["a person of an issuer, in the owner's browser", owner, ada],
    ["a person of the same name", ada, { ...ada, personId: "per_other" }],
  ])("[R-5] asks before the browser becomes that of %s", async (_, from, to) => {
    const refused = open(from, to);
    expect(await refused.done).toBe(false);
    expect(refused.asked).toEqual([`${from.person} → ${to.person}`]);
    expect(refused.revoked).toEqual(["next"]);
    const allowed = open(from, to, true);
    expect(await allowed.done).toBe(true);
    expect(allowed.revoked).toEqual([]);
  });

  test.each([
    ["is for the same person", ada],
    ["is for the same owner", owner],
  ])("asks nothing if it %s", async (_, person) => {
    const { done, asked } = open(person, { ...person });
    expect(await done).toBe(true);
    expect(asked).toEqual([]);
  });

  test.each([
    ["was revoked", new ProtocolError("UNAUTHENTICATED", "No.")],
    ["has ended", new ProtocolError("CREDENTIAL_ENDED", "No.")],
    ["was at another gateway", new ClientError("GATEWAY_UNKNOWN", "No.")],
  ])("asks nothing if the old sign-in %s", async (_, error) => {
    const { done, asked } = open(error, bob);
    expect(await done).toBe(true);
    expect(asked).toEqual([]);
  });

  test("changes nothing if the browser's person cannot be determined", async () => {
    const { done } = open(new ClientError("CONNECTION_CLOSED", "Gone."), bob, true);
    await expect(done).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("names both people, and staying comes first", async () => {
    const chosen = vi.fn<(yes: boolean) => void>();
    const say = translateTo(await loadPageLanguage("en"));
    const to = { ...bob, person: "Вob" };
    render(<SwitchPerson from={ada} to={to} say={say} onChoose={chosen} />);
    expect(screen.getByRole("heading").textContent).toMatch(/^Switch to \[В U\+0412/u);
    const [stay, change] = screen.getAllByRole("button");
    expect(stay!.textContent).toBe("Stay signed in as Ada");
    fireEvent.click(stay!);
    fireEvent.click(change!);
    expect(chosen.mock.calls).toEqual([[false], [true]]);
  });
});
