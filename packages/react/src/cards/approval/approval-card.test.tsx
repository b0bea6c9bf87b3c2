// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { anApprovalInteraction } from "../../testing/interactions.ts";
import { answeredHere, renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(cleanup);

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const allowOnce = () => button("Allow once");
const isBlocked = (element: HTMLElement) => element.getAttribute("aria-disabled") === "true";
const openScopes = () => fireEvent.click(button("Allow for longer"));
const openDeny = () => fireEvent.click(button("Deny with a reason, or stop the turn"));
const plain = anApprovalInteraction();
const LONG = Array.from({ length: 60 }, (_, line) => `echo ${line}`).join("\n");

describe("an approval card", () => {
  test("[R-6] allows the shown input, by its digest", () => {
    const { gateway, arm } = renderCard(plain);
    arm();
    fireEvent.click(allowOnce());
    expect(gateway.sent).toEqual([
      { action: "approve", digest: "digest-1", approvalScope: "once" },
    ]);
  });

  test("[R-6] shows afterwards what an approval for longer covers, and nothing of that for one call", () => {
    const scopeText = { session: "Exactly this command, until this session ends." };
    const wide = anApprovalInteraction({ scopes: ["once", "session"], scopeText });
    const allowed = (approvalScope: "once" | "session") =>
      renderCard(answeredHere(wide, { action: "approve", digest: "digest-1", approvalScope }));
    allowed("session");
    expect(screen.getByText("Allowed for this session")).toBeTruthy();
    expect(screen.getByText(scopeText.session)).toBeTruthy();
    cleanup();
    allowed("once");
    expect(screen.queryByText(scopeText.session)).toBeNull();
  });

  test("sends once when it is pressed twice", () => {
    const { gateway, arm } = renderCard(plain);
    arm();
    const allow = allowOnce();
    fireEvent.click(allow);
    fireEvent.click(allow);
    expect(gateway.sent).toHaveLength(1);
  });

  test("arms 500 ms after it appeared, and again after its content changed", () => {
    const { gateway, wait, show } = renderCard(plain);
    fireEvent.click(allowOnce());
    wait(499);
    fireEvent.click(allowOnce());
    expect(isBlocked(allowOnce())).toBe(true);
    expect(gateway.sent).toEqual([]);
    wait(1);
    expect(isBlocked(allowOnce())).toBe(false);
    show(anApprovalInteraction({ digest: "digest-2", input: { command: "rm -rf /" } }));
    fireEvent.click(allowOnce());
    expect(gateway.sent).toEqual([]);
    wait(500);
    fireEvent.click(allowOnce());
    expect(gateway.sent[0]?.digest).toBe("digest-2");
  });

  test("can be denied without arming", () => {
    const { gateway } = renderCard(plain);
    fireEvent.click(button("Deny"));
    expect(gateway.sent).toEqual([{ action: "deny" }]);
  });

  test("focuses the card, never Allow", () => {
    const { card } = renderCard(plain, { autoFocus: true });
    expect(document.activeElement).toBe(card());
  });

  test("[R-11] offers only the scopes that are offered, each with its exact words", () => {
    const scopeText = { session: "Exactly this command, until this session ends." };
    const wide = anApprovalInteraction({ scopes: ["once", "session"], scopeText });
    const { gateway, arm } = renderCard(wide);
    arm();
    openScopes();
    arm();
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    const session = button("Allow for session");
    const words = document.getElementById(session.getAttribute("aria-describedby") ?? "");
    expect(words?.textContent).toContain(scopeText.session);
    fireEvent.click(session);
    expect(gateway.sent[0]?.approvalScope).toBe("session");
  });

  test("limits an approval for longer in time or number, where the gateway remembers it", () => {
    const scopeText = { session: "Exactly this command." };
    const { gateway, arm } = renderCard(
      anApprovalInteraction({ scopes: ["once", "session"], scopeText, canLimit: true }),
    );
    openScopes();
    arm();
    const limit = screen.getByRole("combobox", { name: "Limit" });
    fireEvent.change(limit, { target: { value: "for the next 5 calls" } });
    fireEvent.click(button("Allow for session"));
    expect(gateway.sent).toMatchObject([{ approvalScope: "session", grantLimit: { uses: 5 } }]);
    cleanup();
    renderCard(anApprovalInteraction({ scopes: ["once", "session"], scopeText }));
    openScopes();
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  test("[R-5] offers no scope without a text of what it covers", () => {
    const wide = anApprovalInteraction({ scopes: ["once", "session", "always"], scopeText: {} });
    renderCard(wide).arm();
    expect(screen.queryByRole("button", { name: "Allow for longer" })).toBeNull();
    cleanup();
    renderCard(anApprovalInteraction({ scopes: ["session"], scopeText: {} })).arm();
    expect(screen.queryByRole("button", { name: /allow/iu })).toBeNull();
  });

  describe("for longer than once", () => {
    const scopeText = { session: "Exactly this command.", always: "This command, everywhere." };
    const wide = anApprovalInteraction({ scopes: ["once", "session", "always"], scopeText });

    test("is behind one control, which L opens as well, and Escape closes", () => {
      const { gateway, arm, card } = renderCard(wide);
      arm();
      expect(screen.queryByText(scopeText.session)).toBeNull();
      expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
      fireEvent.keyDown(card(), { key: "l" });
      expect(screen.getByText(scopeText.session)).toBeTruthy();
      expect(document.activeElement).toBe(button("Allow for session"));
      expect(button("Allow for longer").getAttribute("aria-expanded")).toBe("true");
      fireEvent.keyDown(button("Allow for session"), { key: "Escape" });
      expect(screen.queryByText(scopeText.session)).toBeNull();
      expect(document.activeElement).toBe(button("Allow for longer"));
      expect(gateway.sent).toEqual([]);
    });

    test("arms once it is open: an early press, or a held key, allows nothing", () => {
      const { gateway, arm, wait } = renderCard(wide);
      arm();
      openScopes();
      fireEvent.click(button("Allow for session"));
      wait(499);
      fireEvent.click(button("Allow for session"));
      arm();
      expect(fireEvent.keyDown(button("Allow for session"), { key: "Enter", repeat: true })).toBe(
        false,
      );
      expect(gateway.sent).toEqual([]);
      fireEvent.click(button("Always allow"));
      expect(gateway.sent).toMatchObject([{ approvalScope: "always" }]);
    });

    test("closes for a reason or an edit, and is open if a single approval is not offered", () => {
      const { arm, card } = renderCard(
        anApprovalInteraction({ scopes: ["session"], scopeText, editable: true }),
      );
      arm();
      expect(screen.getByText(scopeText.session)).toBeTruthy();
      expect(screen.queryByRole("button", { name: "Allow for longer" })).toBeNull();
      fireEvent.keyDown(card(), { key: "a" });
      openDeny();
      expect(screen.queryByText(scopeText.session)).toBeNull();
      cleanup();
      renderCard(wide);
      openScopes();
      openDeny();
      fireEvent.click(button("Back"));
      expect(screen.queryByText(scopeText.session)).toBeNull();
    });
  });

  test("keeps Allow blocked until the whole of a long input was opened", () => {
    const { gateway, arm } = renderCard(anApprovalInteraction({ input: { command: LONG } }));
    arm();
    expect(isBlocked(allowOnce())).toBe(true);
    expect(screen.getByText("Open all 60 lines to allow")).toBeTruthy();
    fireEvent.click(allowOnce());
    expect(gateway.sent).toEqual([]);
    fireEvent.click(button("Show all 60 lines"));
    fireEvent.click(allowOnce());
    expect(gateway.sent).toHaveLength(1);
  });

  test("needs each long input opened separately", () => {
    const first = anApprovalInteraction({ input: { command: LONG } });
    const { arm, show } = renderCard(first);
    fireEvent.click(button("Show all 60 lines"));
    show(anApprovalInteraction({ digest: "digest-2", input: { command: `${LONG}\nrm -rf /` } }));
    arm();
    expect(isBlocked(allowOnce())).toBe(true);
  });

  test("requires a deliberate yes if the runtime does, and no key gives it", () => {
    const { gateway, arm, card } = renderCard(anApprovalInteraction({ defaultToDeny: true }));
    arm();
    fireEvent.click(allowOnce());
    fireEvent.keyDown(card(), { key: "a" });
    expect(gateway.sent).toEqual([]);
    fireEvent.click(screen.getByRole("checkbox"));
    fireEvent.keyDown(card(), { key: "a" });
    expect(gateway.sent).toEqual([]);
    fireEvent.click(allowOnce());
    expect(gateway.sent).toHaveLength(1);
  });

  test("shows hidden characters as marks, and the agent's words as plain text", () => {
    const command = "rm \u202Egpj.exe\u200B";
    const display = { description: "<b>Safe</b> **really**" };
    const { container } = renderCard(anApprovalInteraction({ input: { command }, display }));
    expect(container.textContent).not.toContain("\u202E");
    const marks = [...container.querySelectorAll("pre .hp-mark")].map((mark) => mark.textContent);
    expect(marks).toEqual(["RLO", "ZWSP"]);
    expect(screen.getByText("<b>Safe</b> **really**")).toBeTruthy();
  });

  test("leaves nothing of the input out", () => {
    const input = { command: "make", timeout: 9, description: "Builds it" };
    const { container } = renderCard(anApprovalInteraction({ input }));
    expect(container.textContent).toContain('"timeout": 9');
    expect(container.textContent).toContain("Builds it");
  });

  test("shows a change as a diff", () => {
    const change = { path: "src/a.ts", before: "one\ntwo\n", after: "one\nthree\n" };
    const { container } = renderCard(anApprovalInteraction({ input: {}, change }));
    expect(screen.getByText("Edit a.ts?")).toBeTruthy();
    expect(container.querySelector(".hp-diff-removed")?.textContent).toContain("two");
    expect(container.querySelector(".hp-diff-added")?.textContent).toContain("three");
  });
});

describe("keys on an approval card", () => {
  test("A allows and D denies on the card itself only", () => {
    const { gateway, arm, card } = renderCard(plain);
    fireEvent.keyDown(card(), { key: "a" });
    expect(gateway.sent).toEqual([]);
    arm();
    fireEvent.keyDown(button("Deny"), { key: "a" });
    fireEvent.keyDown(card(), { key: "a", ctrlKey: true });
    fireEvent.keyDown(card(), { key: "a", repeat: true });
    fireEvent.keyDown(card(), { key: "a", isComposing: true });
    expect(gateway.sent).toEqual([]);
    fireEvent.keyDown(card(), { key: "a" });
    expect(gateway.sent).toHaveLength(1);
  });

  test("D denies", () => {
    const { gateway, card } = renderCard(plain);
    fireEvent.keyDown(card(), { key: "D", shiftKey: true });
    expect(gateway.sent).toEqual([{ action: "deny" }]);
  });
});

describe("denying with a reason", () => {
  const reason = () => screen.getByRole("textbox");

  test("takes focus, has no Allow, and Enter denies", () => {
    const { gateway, arm } = renderCard(plain);
    arm();
    openDeny();
    expect(document.activeElement).toBe(reason());
    expect(screen.queryByRole("button", { name: /Allow/ })).toBeNull();
    fireEvent.change(reason(), { target: { value: " Use staging " } });
    fireEvent.keyDown(reason(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(reason(), { key: "Enter", shiftKey: true });
    expect(gateway.sent).toEqual([]);
    fireEvent.keyDown(reason(), { key: "Enter" });
    expect(gateway.sent).toEqual([{ action: "deny", reason: "Use staging" }]);
  });

  test("can stop the turn as well", () => {
    const { gateway } = renderCard(plain);
    openDeny();
    fireEvent.click(button("Deny and stop"));
    expect(gateway.sent).toEqual([{ action: "deny", stopTurn: true }]);
  });

  test("Escape returns to the card, as Back does, and keeps the reason for later", () => {
    const { gateway, card } = renderCard(plain);
    openDeny();
    fireEvent.click(button("Back"));
    expect(document.activeElement).toBe(card());
    openDeny();
    fireEvent.change(reason(), { target: { value: "Not now" } });
    fireEvent.keyDown(reason(), { key: "Escape" });
    expect(document.activeElement).toBe(card());
    fireEvent.click(button("Deny"));
    expect(gateway.sent).toEqual([{ action: "deny" }]);
  });
});

describe("editing before allowing", () => {
  const command = anApprovalInteraction({
    editable: true,
    input: { command: "rm -rf build dist", timeout: 5 },
    scopes: ["once", "session"],
  });
  const editor = () => screen.getByRole("textbox");

  test("is offered only where the tool permits it", () => {
    renderCard(plain);
    expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
  });

  test("[R-6] shows the difference and everything else that runs, arms again, and sends the whole edited input once", () => {
    const { gateway, arm, container } = renderCard(command);
    arm();
    fireEvent.click(button("Edit"));
    expect(screen.getByRole("figure", { name: "Other input" }).textContent).toContain(
      '"timeout": 5',
    );
    expect(isBlocked(button("Allow edited"))).toBe(true);
    fireEvent.change(editor(), { target: { value: "rm -rf build" } });
    expect(container.querySelector(".hp-diff-removed")?.textContent).toContain("dist");
    fireEvent.click(button("Allow edited"));
    expect(gateway.sent).toEqual([]);
    expect(screen.queryByRole("button", { name: "Allow for session" })).toBeNull();
    arm();
    fireEvent.click(button("Allow edited"));
    expect(gateway.sent).toEqual([
      {
        action: "approve",
        digest: "digest-1",
        approvalScope: "once",
        editedInput: { command: "rm -rf build", timeout: 5 },
      },
    ]);
  });

  test("refuses input that is not a JSON object", () => {
    const json = anApprovalInteraction({
      editable: true,
      input: { url: "https://example.org", depth: 2 },
    });
    const { gateway, arm } = renderCard(json);
    fireEvent.click(button("Edit"));
    for (const text of ["{", "[]", "3", "null"]) {
      fireEvent.change(editor(), { target: { value: text } });
      arm();
      fireEvent.click(button("Allow edited"));
      expect(editor().getAttribute("aria-invalid")).toBe("true");
    }
    expect(gateway.sent).toEqual([]);
  });

  test("is discarded for another input", () => {
    const drafts = createMemoryDrafts();
    const first = renderCard(command, { drafts });
    fireEvent.click(button("Edit"));
    fireEvent.change(editor(), { target: { value: "rm -rf build" } });
    first.unmount();
    renderCard(
      anApprovalInteraction({ editable: true, input: { command: "ls" }, digest: "digest-2" }),
      { drafts },
    );
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.getByText("ls", { selector: "pre code" })).toBeTruthy();
  });

  test("is shown in the record", async () => {
    const { gateway, arm, container } = renderCard(command);
    fireEvent.click(button("Edit"));
    fireEvent.change(editor(), { target: { value: "rm -rf build" } });
    arm();
    fireEvent.click(button("Allow edited"));
    await gateway.accept(answeredHere(command, gateway.sent[0]!));
    expect(screen.getByText("Allowed once, with edits")).toBeTruthy();
    expect(container.querySelector(".hp-done-body .hp-diff-removed")?.textContent).toContain(
      "dist",
    );
  });
});

test("by a grant is not an edit in the record", async () => {
  const settled = {
    ...anApprovalInteraction({ input: { command: "ls" } }),
    status: "delivered" as const,
    response: { action: "approve" as const, approvalScope: "always" as const, grantId: "gnt_1" },
    by: { person: "Ada", client: "Phone", at: "2026-01-01T00:00:00.000Z" },
  };
  renderCard(settled);
  expect(screen.getByText("Allowed by an earlier approval")).toBeTruthy();
});
