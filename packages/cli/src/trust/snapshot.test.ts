import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { serveOwnModules } from "./own-modules.ts";
import { isMeantForGateway, readSnapshot, type Snapshot, SnapshotError } from "./snapshot.ts";

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-snapshot-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

const read = async (): Promise<Snapshot> => (await readSnapshot({ folder }))!;
const namesOf = ({ files }: Snapshot) => files.map(({ name, role }) => `${role} ${name}`);

function serve({ folder: at, files }: Snapshot) {
  const importOwn = serveOwnModules({
    folder: at,
    bytes: new Map(files.map((file) => [file.path, file.bytes])),
  });
  return (name: string) => importOwn(join(folder, name));
}

describe("the files that are read", () => {
  test("are none without a config file and a tool", async () => {
    await write("tools/readme.md", "");
    expect(await readSnapshot({ folder })).toBeUndefined();
  });

  test("are the config file, the tools, and all their relative imports", async () => {
    await write(
      "holdpoint.config.ts",
      `import { a } from "./lib/a.ts"; export default { tools: [a] };`,
    );
    await write("lib/a.ts", `import type { B } from "./b.ts";\nexport { c } from './c.js';`);
    await write("lib/b.ts", "export type B = string;");
    await write("lib/c.js", `const d = await import("./d.mjs"); require("./e");`);
    await write(
      "lib/d.mjs",
      `import data from "./data.json" with { type: "json" }; new Worker(new URL("./worker.ts", import.meta.url));`,
    );
    await write("lib/data.json", "{}");
    await write(
      "lib/e.js",
      `import "left-pad"; import fs from "fs"; import "node:path"; import "./gone.ts";`,
    );
    await write("lib/worker.ts", "");
    await write("lib/unused.ts", "");
    await write("tools/two.mjs", "");
    await write("tools/one.ts", "");
    await write("tools/one.test.ts", "");
    const snapshot = await read();
    expect(namesOf(snapshot)).toEqual([
      "config holdpoint.config.ts",
      "tool tools/one.ts",
      "tool tools/two.mjs",
      ...["a.ts", "b.ts", "c.js", "d.mjs", "data.json", "e.js", "worker.ts"].map(
        (name) => `module lib/${name}`,
      ),
    ]);
    expect(snapshot.packages).toEqual(["left-pad"]);
  });

  test("include the project's own package and its subpaths, and no installed package", async () => {
    await write(
      "package.json",
      `{"name": "project", "exports": {"./own": "./own.js"}, "imports": {"#sub": "./sub.js"}}`,
    );
    await write("own.js", "");
    await write("sub.js", "");
    await write("node_modules/left-pad/index.js", "");
    await write("tools/a.js", `import "project/own"; import "#sub"; import "left-pad";`);
    expect(namesOf(await read())).toEqual(["tool tools/a.js", "module own.js", "module sub.js"]);
  });

  test.each([
    ["a folder in place of a tool", () => mkdir(join(folder, "tools/a.ts"), { recursive: true })],
    ["a device", async () => symlink("/dev/zero", await linked())],
    ["a link to nothing", async () => symlink("/gone", await linked())],
  ])("%s is refused", async (_, make) => {
    await make();
    await expect(readSnapshot({ folder })).rejects.toThrow(SnapshotError);
  });

  async function linked(): Promise<string> {
    await mkdir(join(folder, "tools"));
    return join(folder, "tools/a.ts");
  }
});

describe("the hash", () => {
  test("changes with each name, place and byte, and with the folder", async () => {
    await write("holdpoint.config.mjs", `import "./lib.mjs";`);
    await write("lib.mjs", "1;");
    await write("tools/a.mjs", "");
    const steps = [
      async () => undefined,
      () => write("lib.mjs", "2;"),
      () => write("lib.mjs", "2; "),
      () => write("holdpoint.config.mjs", `import "./lib.mjs" `),
      () => write("tools/b.mjs", ""),
      () => rm(join(folder, "tools/a.mjs")),
      () => write("holdpoint.config.ts", ""),
      async () => {
        await write("same/b.mjs", "");
        await rm(join(folder, "tools"), { recursive: true });
        await symlink(join(folder, "same"), join(folder, "tools"));
      },
    ];
    const hashes = new Set<string>();
    for (const step of steps) {
      await step();
      hashes.add((await read()).hash);
    }
    expect(hashes.size).toBe(steps.length);
    expect((await read()).hash).toBe((await read()).hash);
  });
});

describe("the code that is run", () => {
  test("is the content that was read, whatever is there at its import", async () => {
    await write(
      "tools/a.ts",
      `import { word } from "../lib/word.ts"; const said: string = word; export default said;`,
    );
    await write("lib/word.ts", `export const word: string = "read";`);
    const load = serve(await read());
    await write("lib/word.ts", `export const word: string = "swapped";`);
    await write("tools/a.ts", `export default "swapped";`);
    expect(await load("tools/a.ts")).toBe("read");
  });

  test("is also the read content for modules loaded late, and by require", async () => {
    await write(
      "tools/a.js",
      `exports.late = () => import("../lib/b.mjs"); exports.now = require("../lib/c.js"); exports.again = () => require("../lib/d.js");`,
    );
    await write("lib/b.mjs", `export default "read";`);
    await write("lib/c.js", `module.exports = "read";`);
    await write("lib/d.js", `module.exports = "read";`);
    const load = serve(await read());
    for (const name of ["b.mjs", "c.js", "d.js"]) {
      await write(`lib/${name}`, `throw new Error("swapped");`);
    }
    const { late, now, again } = (await load("tools/a.js")) as {
      late: () => Promise<{ default: string }>;
      now: string;
      again: () => string;
    };
    expect([(await late()).default, now, again()]).toEqual(["read", "read", "read"]);
  });

  test.each([
    ["a computed import", `const name = "b"; await import("../lib/" + name + ".mjs");`],
    [
      "a computed file address",
      `await import(new URL("../lib/" + "b.mjs", import.meta.url).href);`,
    ],
    [
      "a computed require",
      `import { createRequire } from "node:module"; createRequire(import.meta.url)("../lib/" + "b.mjs");`,
    ],
    ["a link that now leads elsewhere", `await import("../lib/link.mjs");`],
  ])("%s of an unread file is refused", async (_, program) => {
    await write("lib/a.mjs", "");
    await write("lib/b.mjs", `globalThis.hasRunUnread = true;`);
    await symlink(join(folder, "lib/a.mjs"), join(folder, "lib/link.mjs"));
    await write("tools/a.mjs", `${program}\nexport default 1;`);
    const load = serve(await read());
    await rm(join(folder, "lib/link.mjs"));
    await symlink(join(folder, "lib/b.mjs"), join(folder, "lib/link.mjs"));
    await expect(load("tools/a.mjs")).rejects.toThrow(
      "was not among the files that were looked at",
    );
    expect(globalThis).not.toHaveProperty("hasRunUnread");
  });

  test("each snapshot runs its own modules, and shares packages", async () => {
    await write("node_modules/shared/index.js", `export const loaded = {};`);
    await write("node_modules/shared/package.json", `{"type": "module"}`);
    await write(
      "tools/a.mjs",
      `import { loaded } from "shared"; import { own } from "../own.mjs"; export default { loaded, own };`,
    );
    await write("own.mjs", `export const own = {};`);
    const snapshot = await read();
    const first = (await serve(snapshot)("tools/a.mjs")) as { loaded: object; own: object };
    const second = (await serve(snapshot)("tools/a.mjs")) as { loaded: object; own: object };
    expect(second.own).not.toBe(first.own);
    expect(second.loaded).toBe(first.loaded);
  });
});

test.each([
  [true, `export default defineTool({});`],
  [true, `export default { name: "a", description: "b", handler() {} };`],
  [false, `process.exit(1);`],
  [false, `export function handler() {}`],
])(
  "a tools folder without a config file is offered only if it looks like one: %s",
  async (isMeant, text) => {
    await write("tools/a.mjs", text);
    expect(isMeantForGateway(await read())).toBe(isMeant);
  },
);
