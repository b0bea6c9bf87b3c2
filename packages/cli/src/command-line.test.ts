import { expect, test } from "vitest";

import { parseCommandLine } from "./command-line.ts";

test.each([
  ["start", true],
  ["test", false],
  [undefined, false],
] as const)(
  "a lone value, as npm leaves it of a flag without --, is refused: run by npm's script %s, with a hint: %s",
  (npmScript, isTold) => {
    // The program's arguments for `npm start --port 4911`.
    const parse = () => parseCommandLine(["4911"], npmScript);
    expect(parse).toThrow('Unknown command "4911".');
    expect(() => parse()).toThrow(isTold ? /npm start -- --port N/u : /^(?!.*npm start)/su);
  },
);

test("`npm start -- --port N` is the port", () => {
  expect(parseCommandLine(["--port", "4911"], "start")).toMatchObject({
    command: "start",
    flags: { port: "4911" },
  });
});
