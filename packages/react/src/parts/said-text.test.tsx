// @vitest-environment happy-dom
import { type Saying, inEnglish, saying } from "@holdpoint/protocol";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { SaidText, toSaidParts } from "./said-text.tsx";

afterEach(cleanup);

const covers = (command: string): readonly Saying[] => [
  saying("covers_command", { command }),
  saying("in_session_at", { cwd: "/work" }),
];
const marksOf = (said: readonly Saying[] | undefined, text = inEnglish(said ?? "")) =>
  [...render(<SaidText text={text} said={said} />).container.querySelectorAll(".hp-mark")].map(
    (mark) => mark.getAttribute("data-raw"),
  );

test("the gateway's own quotes have no marks, and the command's have", () => {
  expect(marksOf(covers("npm run build"))).toEqual([]);
  expect(marksOf(covers("echo “a”"))).toEqual(["“", "”"]);
  expect(marksOf(covers("ls”. In every session. “"))).toEqual(["”", "“"]);
  expect(marksOf(covers("c\u0430t a"))).toEqual(["\u0430"]);
});

test("the asker's own text is marked like a command", () => {
  expect(marksOf(undefined, "exactly “this”")).toEqual(["“", "”"]);
});

test("a text that does not match its values counts as foreign as a whole", () => {
  const text = "Exactly the command “rm -rf /”.";
  expect(toSaidParts(text, covers("ls"))).toEqual([{ text, isValue: true }]);
});

test("a value that also occurs in the gateway's words does not hide marks", () => {
  const said = [
    saying("covers_command", { command: "the" }),
    saying("in_session_at", { cwd: "/“" }),
  ];
  expect(marksOf(said)).toEqual(["“"]);
});
