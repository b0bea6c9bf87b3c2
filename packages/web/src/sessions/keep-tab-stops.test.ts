// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";

import { keepTabStops } from "./keep-tab-stops.ts";

afterEach(() => document.body.replaceChildren());

const entry = (name: string, current = false): string =>
  `<li><a class="rail-link" href="/${name}" ${current ? 'aria-current="page"' : ""}>${name}</a>` +
  `<span class="rail-actions"><button>actions of ${name}</button></span></li>`;

/** A rail with three sessions, of which the second is shown. */
function openRail() {
  document.body.innerHTML = `<nav><a class="brand" href="/">home</a><button class="rail-new">new</button>
    <ul>${entry("one")}${entry("two", true)}${entry("three")}</ul><a class="rail-grants" href="/grants">grants</a>
    <footer><input /><div class="rail-footer-row"><button>go to</button><button>keys</button></div></footer></nav>`;
  const rail = document.querySelector("nav")!;
  const named = (name: string): HTMLElement =>
    [...rail.querySelectorAll<HTMLElement>("a, button")].find((one) => one.textContent === name)!;
  return {
    rail,
    named,
    stops: (): readonly string[] =>
      [...rail.querySelectorAll<HTMLElement>("a, button, input")]
        .filter((one) => one.tabIndex === 0)
        .map((one) => one.textContent || one.tagName),
    press: (key: string): string => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(event);
      return document.activeElement!.textContent;
    },
  };
}

const told = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("the current session is a stop, with its actions, and one of the footer's buttons", () => {
  const { rail, stops } = openRail();
  expect(stops()).toHaveLength(12);
  const end = keepTabStops(rail);
  expect(stops()).toEqual(["two", "actions of two", "INPUT", "go to"]);
  end();
});

test("arrows go through a group from end to end, and the stop is the last focused entry", () => {
  const { rail, named, stops, press } = openRail();
  const end = keepTabStops(rail);
  named("two").focus();
  expect(["ArrowDown", "ArrowDown", "ArrowDown"].map(press)).toEqual(["three", "grants", "grants"]);
  expect(["Home", "ArrowUp", "End", "ArrowUp"].map(press)).toEqual([
    "home",
    "home",
    "grants",
    "three",
  ]);
  expect(press("x")).toBe("three");
  expect(stops()).toEqual(["three", "actions of three", "INPUT", "go to"]);
  named("go to").focus();
  expect(press("ArrowRight")).toBe("keys");
  end();
  expect(press("ArrowLeft")).toBe("keys");
});

test("opening another page, and removing a session, moves the stop", async () => {
  const { rail, named, stops } = openRail();
  const end = keepTabStops(rail);
  named("two").focus();
  named("two").removeAttribute("aria-current");
  named("three").setAttribute("aria-current", "page");
  await told();
  expect(stops().slice(0, 2)).toEqual(["three", "actions of three"]);
  named("three").closest("li")!.remove();
  await told();
  expect(stops()).toEqual(["home", "INPUT", "go to"]);
  end();
});
