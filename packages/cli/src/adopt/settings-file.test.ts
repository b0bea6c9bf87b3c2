import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { UsageError } from "../usage-error.ts";
import { readSettingsFile, toText, writeText } from "./settings-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

test("a link stays a link, and its target is changed with its mode", async () => {
  const real = join(folder, "real.json");
  const link = join(folder, "settings.json");
  await writeFile(real, "{}", { mode: 0o640 });
  await symlink(real, link);
  const { path } = await readSettingsFile(link);
  await writeText(path, '{"a":1}');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, "utf8")).toBe('{"a":1}');
  expect((await stat(real)).mode & 0o777).toBe(0o640);
});

test("a link that leads out of its project is refused", async () => {
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(folder, "secrets.json"), "{}");
  for (const target of ["../secrets.json", join(folder, "secrets.json"), "../nothing.json"]) {
    const link = join(project, "settings.local.json");
    await symlink(target, link);
    await expect(readSettingsFile(link, project)).rejects.toThrow(UsageError);
    await rm(link);
  }
});

test.each([
  ["// mine\n{}", "comments"],
  ["[]", "not a JSON object"],
  ["{", "not plain JSON"],
  [Buffer.from([0xff, 0xfe]), "cannot be read"],
])("a file that could not be written back is refused: %j", async (content, problem) => {
  const path = join(folder, "settings.json");
  await writeFile(path, content);
  await expect(readSettingsFile(path)).rejects.toThrow(problem);
});

test("a new file is for its owner only, and an existing one keeps its indentation", async () => {
  const path = join(folder, ".claude", "settings.json");
  await writeText(path, "{}");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(toText({ hooks: 1 }, '{\n\t"b": 2\n}')).toBe('{\n\t"b": 2,\n\t"hooks": 1\n}');
});

describe("other hooks in a text", () => {
  const hooks = { Stop: [1] };
  test.each<[string, string, unknown, string]>([
    [
      "come last",
      '{\n  "a": 1\n}\n',
      hooks,
      '{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}\n',
    ],
    ["stay where they are", '{"hooks": {}, "a": 1}', 1, '{"hooks": 1, "a": 1}'],
    ["leave a text on one line on it", '{"a": 1}', hooks, '{"a": 1,"hooks": {"Stop":[1]}}'],
    [
      "leave numbers as they are",
      '{\n "n": 12345678901234567890\n}',
      1,
      '{\n "n": 12345678901234567890,\n "hooks": 1\n}',
    ],
    [
      "leave doubled keys and escapes",
      '{\n "a": 1.50,\n "a": "\\u00e9"\n}',
      1,
      '{\n "a": 1.50,\n "a": "\\u00e9",\n "hooks": 1\n}',
    ],
    [
      "leave carriage returns",
      '{\r\n  "a": 1\r\n}',
      { b: 1 },
      '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "b": 1\r\n  }\r\n}',
    ],
    ["leave a byte order mark", '\ufeff{\n  "a": 1\n}', 1, '\ufeff{\n  "a": 1,\n  "hooks": 1\n}'],
    ["fill an empty object", "{}", 1, '{\n  "hooks": 1\n}'],
    [
      "are not mistaken for hooks within another member",
      '{"a": {"hooks": 2}, "b": ["hooks"]}',
      1,
      '{"a": {"hooks": 2}, "b": ["hooks"],"hooks": 1}',
    ],
    [
      "are removed, the first",
      '{\n  "hooks": {"x": [1, 2]},\n  "a": 1e400\n}',
      undefined,
      '{\n  "a": 1e400\n}',
    ],
    ["are removed, the last", '{\n  "a": 1,\n  "hooks": [{}]\n}', undefined, '{\n  "a": 1\n}'],
    ["are removed, the only ones", '{ "hooks": {} }', undefined, "{}"],
    ["are added if there are none", '{ "a": "hooks" }', undefined, '{ "a": "hooks" }'],
  ])("%s", (_, before, value, after) => {
    expect(toText(value === undefined ? {} : { hooks: value }, before)).toBe(after);
  });

  test("are not written if they occur twice, or contain a number that would be lost", () => {
    expect(() => toText({ hooks }, '{"hooks": 1, "hooks": 2}')).toThrow("its hooks occur twice");
    expect(() => toText({ hooks }, '{"hooks": {"n": 12345678901234567890}}')).toThrow(TypeError);
  });
});
