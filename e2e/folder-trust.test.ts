import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { rows } from "./support/breadth.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { spawnGateway, startGateway, TOKEN } from "./support/gateway-process.ts";

let folder: string;
/** Outside the folder, because agents cannot work inside or above a data folder. */
let dataDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-folder-"));
  dataDir = join(await mkdtemp(join(tmpdir(), "holdpoint-kept-")), "data");
});
afterEach(async () => {
  for (const made of [folder, dirname(dataDir)]) await rm(made, { recursive: true, force: true });
});

async function write(name: string, program: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), program);
}

/** A program that creates a file when it runs. */
const leaves = (mark: string) =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(folder, mark))}, "");\n`;
const hasRun = (mark: string) => existsSync(join(folder, mark));

describe("a directory that no one has trusted", () => {
  test("does not redirect the launch link", async () => {
    await write(
      "holdpoint.config.json",
      `{"publicUrl": "https://attacker.example", "embedOrigins": ["https://attacker.example"]}`,
    );
    await using gateway = await startGateway({ cwd: folder });
    expect(new URL(gateway.launchUrl).origin).toBe(gateway.url);
    const { headers } = await fetch(`${gateway.url}/api/agents`, {
      headers: { origin: "https://attacker.example" },
    });
    expect(headers.get("access-control-allow-origin")).toBe(null);
  });

  test.each(rows(["ts"], ["js", "mjs"]))(
    "runs no holdpoint.config.%s at the start",
    async (extension) => {
      await write(`holdpoint.config.${extension}`, `${leaves("ran")}export default {};`);
      await using gateway = await startGateway({ cwd: folder });
      expect(await new Api(gateway.url).call("GET", "/agents")).toMatchObject({ status: 200 });
      expect(hasRun("ran")).toBe(false);
    },
  );

  test.each(rows(["doctor"], ["check"]))(
    "runs nothing on holdpoint %s, and no control character of its file names is printed",
    async (command) => {
      const hostile = "to\u001b[2J\u202eols.mjs";
      await write(`tools/${hostile}`, `${leaves("ran")}export default {};`);
      await write("holdpoint.config.ts", `${leaves("ran")}export default {};`);
      const child = spawnGateway([command, "--data-dir", dataDir], { cwd: folder });
      const [said] = await Promise.all([
        Promise.all([text(child.stdout!), text(child.stderr!)]),
        once(child, "exit"),
      ]);
      expect(said.join("")).toMatch(/^(?:[^\p{Cc}\p{Cf}]|\n)+$/u);
      expect(hasRun("ran")).toBe(false);
    },
  );

  test.each(rows([["link"]], [["pair"], ["agent-token", "--label", "x"]]))(
    "runs nothing on holdpoint %s",
    async (...command) => {
      await write("holdpoint.config.ts", `${leaves("ran")}export default {};`);
      const child = spawnGateway([...command, "--data-dir", dataDir], { cwd: folder });
      const [said] = await Promise.all([text(child.stderr!), once(child, "exit")]);
      expect(said).toMatch(/No gateway runs/);
      expect(hasRun("ran")).toBe(false);
    },
  );
});

/** A tool whose file creates a mark when it is loaded. */
const tool = (mark: string, answer = "Hello") =>
  `${leaves(mark)}export default { name: "greet", description: "Says ${answer}.", handler: () => "${answer}" };`;
const described = async (api: Api) => {
  const { body } = await api.call<{ items: { description?: string }[] }>("GET", "/tools");
  return body.items.slice(1).flatMap(({ description }) => description ?? []);
};

describe("files that were already trusted", () => {
  test("are loaded at once, and on the next start without asking", async () => {
    await write(
      "holdpoint.config.mjs",
      `${leaves("config")}export default { holdTimeoutMs: 60000 };`,
    );
    await write("tools/greet.mjs", tool("tool"));
    {
      await using gateway = await startGateway({ cwd: folder, dataDir });
      const api = new Api(gateway.url);
      expect(gateway.stderr()).toMatch(
        /^holdpoint: holdpoint\.config\.mjs and 1 more in [^\n]* are not loaded: no one has trusted this\.[^\n]*\n$/,
      );
      const { offer } = await api.folder();
      expect(offer?.files).toMatchObject([
        { name: "holdpoint.config.mjs", role: "config", change: "new" },
        { name: "tools/greet.mjs", role: "tool", change: "new", text: tool("tool") },
      ]);
      expect([hasRun("config"), hasRun("tool"), await described(api)]).toEqual([false, false, []]);
      expect(await api.trustFolder()).toMatchObject({
        loaded: true,
        needsStart: ["holdTimeoutMs"],
      });
      expect([hasRun("config"), hasRun("tool"), await described(api)]).toEqual([
        true,
        true,
        ["Says Hello."],
      ]);
      await gateway.stop("SIGTERM");
    }
    await using again = await startGateway({ cwd: folder, dataDir });
    expect(again.stderr()).toBe("");
    expect(await described(new Api(again.url))).toEqual(["Says Hello."]);
    expect(await new Api(again.url).folder()).toMatchObject({ loaded: true, needsStart: [] });
  });

  test.each(
    rows(
      [
        ["the config file", "holdpoint.config.mjs", `export default { holdTimeoutMs: 61000 };`],
        ["a new tool", "tools/another.mjs", ""],
        [
          "a module that such a module imports",
          "lib/deep/word.mjs",
          `export const word = "other";`,
        ],
      ],
      [
        [
          "a tool",
          "tools/greet.mjs",
          `import "../lib/words.mjs"; export default { name: "greet", description: "x", handler: () => 1 };`,
        ],
        [
          "a module that a tool imports",
          "lib/words.mjs",
          `export { word } from "./deep/word.mjs"; `,
        ],
      ],
    ),
  )("are not loaded once %s has changed", async (_, name, text) => {
    await write("holdpoint.config.mjs", `export default { holdTimeoutMs: 60000 };`);
    await write("lib/deep/word.mjs", `export const word = "word";`);
    await write("lib/words.mjs", `export { word } from "./deep/word.mjs";`);
    await write("tools/greet.mjs", `import { word } from "../lib/words.mjs";\n${tool("tool")}`);
    {
      await using gateway = await startGateway({ cwd: folder, dataDir });
      await new Api(gateway.url).trustFolder();
      await gateway.stop("SIGTERM");
    }
    await rm(join(folder, "tool"));
    await write(name, `${text}\n${leaves("changed")}`);
    await using again = await startGateway({ cwd: folder, dataDir });
    expect(again.stderr()).toContain(
      `have changed since you trusted them: ${name}. None is loaded`,
    );
    expect(await described(new Api(again.url))).toEqual([]);
    const { offer } = await new Api(again.url).folder();
    const changed = offer?.files.filter(({ change }) => change !== "same");
    expect(changed?.map((file) => file.name)).toEqual([name]);
    expect([hasRun("tool"), hasRun("changed")]).toEqual([false, false]);
  });
});

describe("only the files that were shown are loaded", () => {
  test("content that differs from the shown content is refused", async () => {
    await write("tools/greet.mjs", tool("shown"));
    await using gateway = await startGateway({ cwd: folder });
    const api = new Api(gateway.url);
    const { path, offer } = await api.folder();
    await write("tools/greet.mjs", tool("swapped"));
    const answer = await api.call("POST", "/folder-trust", { path, hash: offer!.hash });
    expect(answer).toMatchObject({ status: 409, body: { code: "DIGEST_MISMATCH" } });
    expect([hasRun("shown"), hasRun("swapped")]).toEqual([false, false]);
  });

  test("an agent's token can neither view nor trust files, and a client with interaction off cannot trust them", async () => {
    await write("tools/greet.mjs", tool("ran"));
    await using gateway = await startGateway({ cwd: folder });
    const api = new Api(gateway.url, { clientId: "device" });
    const { path, offer } = await api.folder();
    const { body } = await api.call<{ token: string }>("POST", "/auth/agent-tokens", {
      label: "Codex",
    });
    const agent = new Api(gateway.url, body);
    const seen = { path, hash: offer!.hash };
    expect(await agent.call("GET", "/folder-trust")).toMatchObject({ status: 403 });
    expect(await agent.call("POST", "/folder-trust", seen)).toMatchObject({ status: 403 });
    await api.call("PUT", "/clients/device/interaction-mode", { enabled: false });
    expect(await api.call("POST", "/folder-trust", seen)).toMatchObject({
      status: 403,
      body: { code: "INTERACTION_DISABLED" },
    });
    expect(hasRun("ran")).toBe(false);
  });

  test("an entry written by another program does not count as a yes", async () => {
    await write("tools/greet.mjs", tool("ran"));
    const trusted = join(folder, "other");
    await write("other/tools/greet.mjs", tool("other"));
    const path = join(dataDir, "trust.json");
    let hash = "";
    {
      await using gateway = await startGateway({ cwd: trusted, dataDir });
      await new Api(gateway.url).trustFolder();
      await gateway.stop("SIGTERM");
    }
    {
      await using gateway = await startGateway({ cwd: folder, dataDir });
      hash = (await new Api(gateway.url).folder()).offer!.hash;
      await gateway.stop("SIGTERM");
    }
    const real = await realpath(folder);
    const written = JSON.parse(await readFile(path, "utf8")) as Record<
      string,
      { hash: string; signature: string }
    >;
    const good = written[await realpath(trusted)]!;
    const own = createHmac("sha256", "")
      .update(JSON.stringify([real, hash]))
      .digest("base64");
    for (const signature of [good.signature, own]) {
      await writeFile(path, JSON.stringify({ ...written, [real]: { hash, signature } }));
      await using gateway = await startGateway({ cwd: folder, dataDir });
      expect(await new Api(gateway.url).folder()).toMatchObject({ loaded: false, offer: { hash } });
    }
    expect([hasRun("other"), hasRun("ran")]).toEqual([true, false]);
  });

  test("a directory's config file cannot set the gateway's address, even when a person trusts it", async () => {
    await write("holdpoint.config.json", `{"publicUrl": "https://attacker.example"}`);
    await using gateway = await startGateway({ cwd: folder });
    const api = new Api(gateway.url);
    expect(gateway.stderr()).toMatch(
      /publicUrl cannot be set in a directory's config file\. Use --public-url/,
    );
    const { path, offer } = await api.folder();
    expect(offer?.problem).toContain("publicUrl");
    expect(await api.call("POST", "/folder-trust", { path, hash: offer!.hash })).toMatchObject({
      status: 422,
    });
  });

  test("a config program that does so when it runs is refused as well, and the loaded files stay", async () => {
    await write("holdpoint.config.mjs", `export default {};`);
    await write("tools/greet.mjs", tool("tool"));
    await using gateway = await startGateway({ cwd: folder });
    const api = new Api(gateway.url);
    await api.trustFolder();
    await write(
      "holdpoint.config.mjs",
      `export default { embedOrigins: ["https://attacker.example"] };`,
    );
    const { path, offer } = await api.folder();
    const answer = await api.call("POST", "/folder-trust", { path, hash: offer!.hash });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("embedOrigins") },
    });
    expect(await described(api)).toEqual(["Says Hello."]);
  });
});

describe("links", () => {
  test("a directory is the same through every path that leads to it", async () => {
    await write("real/tools/greet.mjs", tool("ran"));
    await symlink(join(folder, "real"), join(folder, "link"));
    {
      await using gateway = await startGateway({ cwd: join(folder, "link"), dataDir });
      expect((await new Api(gateway.url).trustFolder()).path).toBe(
        join(await realpath(folder), "real"),
      );
      await gateway.stop("SIGTERM");
    }
    await using again = await startGateway({ cwd: join(folder, "real"), dataDir });
    expect(await described(new Api(again.url))).toEqual(["Says Hello."]);
  });

  test("a link in place of a file or folder is followed, and differs from the file itself", async () => {
    await write("elsewhere/config.mjs", `${leaves("config")}export default {};`);
    await write("elsewhere/tools/greet.mjs", tool("ran"));
    await write("project/readme", "");
    await symlink(
      join(folder, "elsewhere/config.mjs"),
      join(folder, "project/holdpoint.config.mjs"),
    );
    await symlink(join(folder, "elsewhere/tools"), join(folder, "project/tools"));
    await using gateway = await startGateway({ cwd: join(folder, "project") });
    const api = new Api(gateway.url);
    const { offer } = await api.folder();
    const real = await realpath(folder);
    expect(offer?.files.map(({ name, path }) => [name, path])).toEqual([
      ["holdpoint.config.mjs", join(real, "elsewhere/config.mjs")],
      ["tools/greet.mjs", join(real, "elsewhere/tools/greet.mjs")],
    ]);
    await api.trustFolder();
    await rm(join(folder, "project/tools"));
    await write("project/tools/greet.mjs", tool("ran"));
    expect((await api.folder()).offer?.files[1]).toMatchObject({ change: "changed" });
  });

  test("a pipe, a folder and a device in place of a file do not stop the start", async () => {
    await write("tools/greet.mjs", tool("ran"));
    await symlink("/dev/zero", join(folder, "tools/zero.mjs"));
    execFileSync("mkfifo", [join(folder, "tools/pipe.mjs")]);
    await mkdir(join(folder, "tools/folder.mjs"));
    await using gateway = await startGateway({ cwd: folder });
    expect(gateway.stderr()).toMatch(
      /is not a regular file\. Nothing new of [^\n]* is loaded\.\n$/,
    );
    expect(await new Api(gateway.url).folder()).toMatchObject({
      loaded: false,
      problem: expect.any(String),
    });
  });
});

describe("--config", () => {
  test("is a yes for the current version of the file and its tools, and for no later one", async () => {
    await write("gateway.mjs", "export default {};");
    await write("tools/greet.mjs", tool("first"));
    await using gateway = await startGateway({
      cwd: folder,
      args: ["--config", "gateway.mjs", "--watch"],
    });
    const api = new Api(gateway.url);
    expect([hasRun("first"), await described(api)]).toEqual([true, ["Says Hello."]]);
    await write("tools/greet.mjs", tool("second", "Good day"));
    await write("tools/more.mjs", leaves("third"));
    await until(
      async () => gateway.stderr().includes("not loaded until") || hasRun("second"),
      "the change to be seen",
    );
    expect([hasRun("second"), hasRun("third"), await described(api)]).toEqual([
      false,
      false,
      ["Says Hello."],
    ]);
    await api.trustFolder();
    expect([hasRun("second"), await described(api)]).toEqual([true, ["Says Good day."]]);
  });
});

describe("the gateway's own terminal", () => {
  /** Makes Node take the pipes for a terminal. */
  const TTY =
    "--import=data:text/javascript,process.stdout.isTTY=process.stdin.isTTY=true;process.stdin.setRawMode=()=>process.stdin";

  async function startInTerminal(...flags: string[]) {
    const args = ["--no-open", "--port", "0", "--data-dir", dataDir, ...flags];
    const env = { NODE_OPTIONS: TTY, HOLDPOINT_TOKEN: TOKEN };
    const child = spawnGateway(args, { cwd: folder, env, stdin: "pipe" });
    let said = "";
    for (const output of [child.stdout, child.stderr]) {
      output?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    }
    const exited = once(child, "exit");
    return {
      said: () => said,
      until: (text: string) => until(async () => said.includes(text), text),
      /** The gateway ignores keys that come too early, as they were meant for something else. */
      async press(key: string) {
        await new Promise((resolve) => setTimeout(resolve, 700));
        child.stdin?.write(key);
      },
      endInput: () => child.stdin?.end(),
      url: () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "",
      exited,
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await exited;
      },
    };
  }

  async function examine(): Promise<string> {
    const child = spawnGateway(["doctor", "--data-dir", dataDir, "--cwd", folder], { cwd: folder });
    const [said] = await Promise.all([text(child.stdout!), once(child, "exit")]);
    return said;
  }

  test("asks before it loads, and only y is a yes", async () => {
    await write("holdpoint.config.json", `{"holdTimeoutMs": 60000}`);
    await write("tools/greet.mjs", tool("ran"));
    {
      await using terminal = await startInTerminal();
      await terminal.until("Load them?");
      expect(terminal.said()).toContain("tools/greet.mjs  (new)");
      expect(terminal.said()).toContain("setting holdTimeoutMs: 60000");
      await terminal.press("\r");
      await terminal.until("Not loaded.");
      expect([hasRun("ran"), terminal.said().includes("Tools     ")]).toEqual([false, false]);
    }
    {
      await using terminal = await startInTerminal();
      await terminal.until("Load them?");
      await terminal.press("d");
      await terminal.until(tool("ran").split("\n")[1]!);
      expect(hasRun("ran")).toBe(false);
      await terminal.press("y");
      await terminal.until("loaded greet (tools/greet.mjs)");
      await terminal.until("Loaded. These settings take effect at the next start: holdTimeoutMs.");
    }
    await using again = await startInTerminal();
    await again.until("Tools     greet");
    expect(again.said()).not.toContain("Load them?");
  });

  test("with --watch, one key loads a change, and a yes on the page ends the question", async () => {
    await write("gateway.mjs", "export default {};");
    await write("tools/greet.mjs", tool("first"));
    await using terminal = await startInTerminal("--config", "gateway.mjs", "--watch");
    await terminal.until("Ctrl+C stops the gateway");
    const api = new Api(terminal.url());
    await write("tools/greet.mjs", tool("second", "Good day"));
    await terminal.until("Load them?");
    expect(hasRun("second")).toBe(false);
    await terminal.press("y");
    await terminal.until("Loaded.");
    expect(await described(api)).toEqual(["Says Good day."]);
    await write("tools/greet.mjs", tool("third", "Good night"));
    await until(async () => terminal.said().split("Load them?").length === 3, "another question");
    await api.trustFolder();
    await write("tools/greet.mjs", tool("fourth", "Nothing"));
    await until(async () => terminal.said().split("Load them?").length === 4, "a third question");
    await terminal.press("n");
    await terminal.until("Not loaded.");
    expect([await described(api), hasRun("fourth")]).toEqual([["Says Good night."], false]);
  });

  test("Ctrl+C ends the gateway, also while it asks", async () => {
    await write("tools/greet.mjs", tool("ran"));
    await using terminal = await startInTerminal();
    await terminal.until("Load them?");
    await terminal.press("\u0003");
    expect(await terminal.exited).toEqual([0, null]);
    expect(hasRun("ran")).toBe(false);
  });

  test("the gateway serves while it asks, the doctor names the question, and a yes on the page answers it", async () => {
    await write("tools/greet.mjs", tool("ran"));
    await write("tools/broken.mjs", "export const name = 'description handler';");
    await using terminal = await startInTerminal();
    await terminal.until("Load them?");
    const api = new Api(terminal.url());
    const { body } = await api.call<{ token: string; url: string }>("POST", "/auth/agent-tokens", {
      label: "A client",
    });
    await using connected = await connectMcp(body.url, body.token);
    const toolNames = async () =>
      (await connected.client.listTools()).tools.map(({ name }) => name);
    expect(await toolNames()).not.toContain("greet");
    const asked = await examine();
    expect(asked).toMatch(
      /^- Tools .*2 files of .* are not loaded.*Answer in the gateway's own terminal, or on the page at \S+\/folder\.$/mu,
    );
    expect(asked).not.toMatch(/^!/mu);
    expect(hasRun("ran")).toBe(false);
    expect(await api.trustFolder()).toMatchObject({
      loaded: true,
      failed: [{ source: "tools/broken.mjs", error: "It has no default export." }],
    });
    await terminal.until("Could not be loaded: tools/broken.mjs. The other files are loaded.");
    expect(await toolNames()).toContain("greet");
    expect(terminal.said()).not.toContain("Not loaded.");
    expect(await api.folder()).toMatchObject({ failed: [{ source: "tools/broken.mjs" }] });
    expect(await examine()).toMatch(
      /^! Tools .*tools\/broken\.mjs: "It has no default export\."/mu,
    );
  });

  test("[R-5] a terminal that ends at the question leaves it to the page", async () => {
    await write("tools/greet.mjs", tool("ran"));
    await using terminal = await startInTerminal();
    await terminal.until("Load them?");
    terminal.endInput();
    await terminal.until("Not loaded. The page shows these files as well.");
    expect(hasRun("ran")).toBe(false);
    expect(await new Api(terminal.url()).trustFolder()).toMatchObject({ loaded: true });
  });
});

describe("the person's own config file", () => {
  test("applies to each gateway, below flags and the directory's file, and to the commands", async () => {
    const config = join(folder, "config");
    await write(
      "config/holdpoint/config.json",
      JSON.stringify({ embedOrigins: ["https://mine.example"], dataDir, holdTimeoutMs: 70_000 }),
    );
    const env = { XDG_CONFIG_HOME: config };
    await write("holdpoint.config.json", `{"holdTimeoutMs": 60000}`);
    await using gateway = await startGateway({ cwd: folder, dataDir, env });
    const { offer } = await new Api(gateway.url).folder();
    expect(offer?.settings).toEqual([{ name: "holdTimeoutMs", now: "70000", value: "60000" }]);
    const asked = await fetch(`${gateway.url}/api/agents`, {
      headers: { origin: "https://mine.example" },
    });
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://mine.example");
    const child = spawnGateway(["agent-token", "--label", "Codex"], { cwd: folder, env });
    expect(await text(child.stdout!)).toContain("mcpServers");
  });

  test("that another user could have written stops the start", async () => {
    await write("config/holdpoint/config.json", "{}");
    await chmod(join(folder, "config/holdpoint/config.json"), 0o666);
    const starting = startGateway({
      cwd: folder,
      dataDir,
      env: { XDG_CONFIG_HOME: join(folder, "config") },
    });
    await expect(starting).rejects.toThrow(/holdpoint: [^\n]*other users can write to/);
  });
});
