import { StoreError } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { createLog, type LogFormat } from "./log.ts";

const SECRET = "cobalt-otter";

function logTo(level: string, format: LogFormat) {
  const lines: string[] = [];
  const log = createLog({ level, format }, { write: (line) => void lines.push(line) });
  return { log, lines };
}

test.each(["json", "text"] as const)(
  "[R-19] the message of a foreign error is in no line of %s, and the gateway's own messages are",
  (format) => {
    const { log, lines } = logTo("info", format);
    const cause = new TypeError(SECRET);
    log.error({ err: new Error(`Bad value ${SECRET}`, { cause }), where: "call" }, "failed");
    log.error({ err: new StoreError("STORE_FAILED", "The disk is full."), where: "x" }, "failed");
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toContain(SECRET);
    expect(lines[0]).toContain("TypeError");
    expect(lines[1]).toContain("The disk is full.");
  },
);

test("text has one line for each entry, and no terminal control characters", () => {
  const { log, lines } = logTo("warn", "text");
  log.info("not shown");
  log.warn({ host: "a.example", odd: "one\ntwo \u001b[31m" }, "refused");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}refused host=a\.example odd="one\\ntwo /,
  );
  expect(lines[0]).not.toContain("\u001b");
  expect(lines[0]?.indexOf("\n")).toBe(lines[0]!.length - 1);
});

test("JSON has the level and time as numbers", () => {
  const { log, lines } = logTo("warn", "json");
  log.warn({ host: "a.example" }, "refused");
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, host: "a.example", msg: "refused" });
});
