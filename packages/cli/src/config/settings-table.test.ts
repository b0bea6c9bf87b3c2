import { expect, test } from "vitest";

import { helpOf } from "../help.ts";
import { type Command, COMMANDS } from "../usage.ts";
import { defaultOf } from "./setting.ts";
import { SETTING_LIST, settingsOf } from "./settings-table.ts";
import { resolveSettings } from "./settings.ts";

const place = { startDirectory: "/work", defaultDataDir: "/data" };
const defaults = resolveSettings({ flags: {}, env: {}, file: {}, ...place });

test("a default in the help is the value that is used if nothing else is given", () => {
  const withDefault = SETTING_LIST.filter((setting) => setting.default !== undefined);
  expect(withDefault.length).toBeGreaterThan(20);
  for (const setting of withDefault) {
    const { name, isPath, default: value, schema } = setting;
    expect({ [name]: defaults[name as keyof typeof defaults] }).toEqual({
      [name]: isPath ? "/work" : value,
    });
    // A config file cannot say Infinity.
    expect(value === Infinity || schema.safeParse(value).success).toBe(true);
  }
  expect(defaults.holdTimeoutMs).toBe(Infinity);
  expect(helpOf("start")).toMatch(/^ {2}HOLDPOINT_HOLD_TIMEOUT_MS +.*\(default: no limit\)$/mu);
  expect(helpOf("start")).toMatch(/^ {2}--port N +.*\(default: 4870\) \[HOLDPOINT_PORT\]$/mu);
});

test("the help of a command has each of its flags, with the default and the variable", () => {
  for (const command of Object.keys(COMMANDS) as Command[]) {
    const lines = helpOf(command).split("\n");
    for (const setting of settingsOf(command)) {
      const { flag = "", variable } = setting;
      const [line = "", ...others] = lines.filter((each) => each.startsWith(`  ${flag} `));
      expect([command, flag, others]).toEqual([command, flag, []]);
      expect(line).toContain(variable ?? "");
      const shown = flag.startsWith("--no-") ? "" : (defaultOf(setting) ?? "");
      expect(line).toContain(shown.replaceAll("`", ""));
    }
  }
});

test("no two settings have the same flag, variable or key", () => {
  const places = SETTING_LIST.flatMap(({ from }) => from);
  expect(places).toEqual([...new Set(places)]);
});
