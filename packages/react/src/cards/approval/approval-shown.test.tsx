// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import { anApprovalInteraction } from "../../testing/interactions.ts";
import { renderCard } from "../../testing/render-card.tsx";
import { preloadCards } from "../cards-seam.ts";

beforeAll(preloadCards);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const isBlocked = () => button("Allow once").getAttribute("aria-disabled") === "true";
const change = { path: "/app/a.ts", before: "one\n", after: "two\n" };
const edit = { file_path: "/app/a.ts", old_string: "one", new_string: "two" };

/** JSON never contains such a value: it stands for any defect in drawing a field. */
const withDefect = (value: object, field: string): Record<string, unknown> =>
  Object.defineProperty({ ...value }, field, {
    enumerable: true,
    get: () => {
      throw new Error("cannot be drawn");
    },
  });

/** Kinds of approval, each with a field with an unexpected value. */
const KINDS = [
  ["a command", { input: { command: "ls", run_in_background: true } }],
  ["a change of a file", { change, input: { ...edit, run_in_background: true } }],
  [
    "several edits",
    { change, input: { file_path: "/app/a.ts", edits: [{ ...edit, run_in_background: true }] } },
  ],
  ["a plan", { input: { plan: "# Plan", run_in_background: true } }],
  ["a fetch", { input: { url: "https://a.example", prompt: "x", run_in_background: true } }],
  ["any tool", { input: { a: { b: { run_in_background: true } } } }],
] as const;

test.each([
  [false, 0],
  [true, 1],
])(
  "an edit with replace_all %j shows it %i times: false is what an edit without it does",
  (all, times) => {
    const input = { ...edit, replace_all: all };
    renderCard(anApprovalInteraction({ change, input }));
    expect(screen.queryAllByRole("figure", { name: "Other input" })).toHaveLength(times);
  },
);

describe("[R-6] an approval shows where", () => {
  const PLACES = [
    ["a command", { input: { command: "ls" } }],
    ["a change of a file", { change, input: edit }],
  ] as const;

  test.each(PLACES)("the command would run: %s", (_, approval) => {
    const { container } = renderCard(anApprovalInteraction({ ...approval, cwd: "/srv/billing" }));
    expect(container.textContent).toContain("/srv/billing");
  });

  test("a changed file is: by its path below that, or elsewhere in full", () => {
    const edited = (path: string) =>
      renderCard(
        anApprovalInteraction({
          cwd: "/srv/billing",
          change: { ...change, path },
          input: { ...edit, file_path: path },
        }),
      ).container.querySelector(".hp-diff-caption .hp-path")?.textContent;
    expect(edited("/srv/billing/src/a.ts")).toBe("src/a.ts");
    expect(edited("/srv/other/a.ts")).toBe("/srv/other/a.ts");
    expect(edited("/srv/billing/../other/a.ts")).toBe("/srv/billing/../other/a.ts");
  });

  test.each(PLACES)("the command reaches outside of that: %s", (_, approval) => {
    const display = { blockedPath: "/etc/passwd" };
    const { container } = renderCard(anApprovalInteraction({ ...approval, display }));
    expect(container.textContent).toContain("/etc/passwd");
  });
});

test("a program's request without an input is shown without one, and without a directory", () => {
  const asked = anApprovalInteraction({ input: {}, cwd: "/srv/gateway" });
  const shown = renderCard(asked).container.textContent;
  expect(shown).toContain("/srv/gateway");
  expect(shown).not.toContain("Input");
  const { container } = renderCard({ ...asked, hold: "kept" });
  expect(container.textContent).not.toContain("/srv/gateway");
});

describe("the content of an approval", () => {
  test.each(KINDS)("[R-6] shows every field of its input without a press: %s", (_, approval) => {
    const { container } = renderCard(anApprovalInteraction(approval));
    const shown = [...container.querySelectorAll("pre")].filter((pre) => !pre.closest("details"));
    expect(shown.map((pre) => pre.textContent).join("\n")).toContain("run_in_background");
  });

  test("shows only the change if the input has nothing else", () => {
    const { container } = renderCard(anApprovalInteraction({ change, input: edit }));
    const shown = [...container.querySelectorAll("pre")].filter((pre) => !pre.closest("details"));
    expect(shown).toHaveLength(0);
  });

  test("[R-6] has to be shown to its end, part by part, before it can be allowed", () => {
    const command = `${"echo one word after the other; ".repeat(1600)}rm -rf /`;
    const { gateway, arm, container } = renderCard(anApprovalInteraction({ input: { command } }));
    arm();
    fireEvent.click(button(/^Show all/));
    let presses = 0;
    while (isBlocked()) {
      expect(container.textContent).not.toContain("rm -rf /");
      expect(screen.getByText("Show the rest of it first")).toBeTruthy();
      fireEvent.click(button(/^Show more/));
      presses += 1;
    }
    expect(presses).toBeGreaterThan(1);
    expect(container.textContent).toContain("rm -rf /");
    fireEvent.click(button("Allow once"));
    expect(gateway.sent).toHaveLength(1);
  });

  test("[R-5] is shown except for a broken field, and cannot be allowed", () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const input = { command: "npm test", description: "Lists the files" };
    const texts = ["npm test", "/home/maria/src/billing", "Lists the files"];
    const broken = [
      { input: withDefect(input, "extra"), missing: "npm test" },
      { input, display: withDefect({}, "server"), missing: "/home/maria/src/billing" },
      { input, display: withDefect({}, "reason"), missing: "Lists the files" },
    ];
    for (const { missing, ...approval } of broken) {
      const { gateway, arm, card, container } = renderCard(
        anApprovalInteraction({ ...approval, cwd: "/home/maria/src/billing" }),
      );
      arm();
      expect(screen.getAllByText("This could not be shown.")).toHaveLength(1);
      const body = container.querySelector(".hp-card-body")?.textContent ?? "";
      expect(texts.filter((text) => !body.includes(text))).toEqual([missing]);
      fireEvent.keyDown(card(), { key: "a" });
      fireEvent.click(button("Allow once"));
      fireEvent.click(button("Deny"));
      expect(gateway.sent).toEqual([{ action: "deny" }]);
      cleanup();
    }
  });

  test("[R-5] cannot be allowed if it could not be shown, and can be denied", () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const input = withDefect({}, "defect");
    const { gateway, arm, card } = renderCard(anApprovalInteraction({ input }));
    arm();
    expect(screen.getAllByText("This could not be shown.").length).toBeGreaterThan(0);
    expect(isBlocked()).toBe(true);
    fireEvent.keyDown(card(), { key: "a" });
    fireEvent.click(button("Allow once"));
    expect(gateway.sent).toEqual([]);
    fireEvent.click(button("Deny"));
    expect(gateway.sent).toEqual([{ action: "deny" }]);
  });
});
