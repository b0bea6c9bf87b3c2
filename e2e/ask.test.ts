import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Ask, Interaction, RespondBody } from "@holdpoint/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";
import { runAsk } from "./support/run-ask.ts";

let gateway: GatewayProcess;
let api: Api;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-ask-"));
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const ask = (...args: readonly string[]) => runAsk([...args, "--data-dir", gateway.dataDir]);

/** The interaction with this prompt. */
function asked(prompt: string, by: Api = api): Promise<Interaction> {
  return until(async () => {
    const { body } = await by.call<{ items: Interaction[] }>("GET", "/interactions?limit=100");
    return body.items.find((one) => one.prompt === prompt);
  }, prompt);
}

async function answer(prompt: string, body: RespondBody, by: Api = api): Promise<void> {
  const { interactionId, approval } = await asked(prompt, by);
  const digest = body.action === "approve" ? { digest: approval?.digest } : {};
  expect((await by.respond(interactionId, { ...digest, ...body })).status).toBe(200);
}

describe("holdpoint ask", () => {
  test("prints yes and exits with 0, or no and exits with 1", async () => {
    await writeFile(join(folder, "plan.txt"), "1. Stop\n2. Copy\n");
    const detail = ["--detail", `@${join(folder, "plan.txt")}`];
    const yes = ask("--approve", "Deploy 1?", "--label", "deploy.sh", ...detail);
    const no = ask("--approve", "Deploy 2?");
    expect(await asked("Deploy 1?")).toMatchObject({
      agentId: "Scripts on this computer: deploy.sh",
      approval: { display: { title: "Deploy 1?", description: "1. Stop\n2. Copy\n" } },
    });
    await answer("Deploy 1?", { action: "approve" });
    await answer("Deploy 2?", { action: "deny", reason: "Not today." });
    const given = await yes.ended;
    expect(given).toMatchObject({ code: 0, stdout: "yes\n" });
    expect(given.stderr).toMatch(/^holdpoint: Waiting for an answer at http\S+\/i\/int_\S+\n$/u);
    expect(await no.ended).toMatchObject({ code: 1, stdout: "no\n" });
    expect((await no.ended).stderr).toContain("Not today.");
  });

  test("[R-5] prints a person's comments and continues to wait", async () => {
    const { printed, ended } = ask("--approve", "Drop it?");
    const { interactionId } = await asked("Drop it?");
    const text = "Which one?\u001b[2J\nyes";
    await api.call("POST", `/interactions/${interactionId}/comments`, { text });
    await until(async () => printed().includes("Which one?"), "the comment");
    expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
    await answer("Drop it?", { action: "deny" });
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "no\n" });
    expect(stderr.split("\n").filter((line) => line.includes("Which one?"))).toHaveLength(1);
    expect(stderr).not.toContain("\u001b");
    expect(stderr).not.toMatch(/^yes/mu);
  });

  test("prints the choice, and the values of a form", async () => {
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, pin: { type: "string", sensitive: true } },
    };
    await writeFile(join(folder, "form.json"), JSON.stringify(schema));
    const choice = ask("--choose", "red, green,blue", "--prompt", "Colour?");
    const form = ask("--form", join(folder, "form.json"), "--prompt", "Sign in", "--json");
    await answer("Colour?", { action: "submit", values: { choice: "green" } });
    await answer("Sign in", { action: "submit", values: { name: "ada", pin: "1234" } });
    expect(await choice.ended).toMatchObject({ code: 0, stdout: "green\n" });
    const { code, stdout } = await form.ended;
    expect(code).toBe(0);
    const { response, interactionId } = JSON.parse(stdout) as Ask;
    expect(response?.values).toEqual({ name: "ada", pin: "1234" });
    // The asker confirmed that it has the values, so the gateway drops them.
    const stored = await api.interaction(interactionId);
    expect(stored).toMatchObject({ status: "delivered", response: { redacted: ["pin"] } });
    expect(JSON.stringify(stored)).not.toContain("1234");
  });

  test("[R-5] exits with 3 and prints nothing when no one answers in time", async () => {
    const { code, stdout } = await ask("--approve", "Soon?", "--timeout", "1s").ended;
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  });

  test("withdraws the request on Ctrl+C", async () => {
    const { process, ended } = ask("--approve", "Really?");
    const { interactionId } = await asked("Really?");
    process.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    expect(await api.interaction(interactionId)).toMatchObject({ status: "withdrawn" });
  });

  test("[R-4] resumes the ask with the same key after it was killed", async () => {
    const args = ["--approve", "Migrate?", "--key", "migrate-7"];
    const first = ask(...args);
    const { interactionId } = await asked("Migrate?");
    first.process.kill("SIGKILL");
    await first.ended;
    await answer("Migrate?", { action: "approve" });
    const second = await ask(...args, "--json").ended;
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ interactionId });
    const other = await ask("--approve", "Migrate more?", "--key", "migrate-7").ended;
    expect(other).toMatchObject({ code: 2, stdout: "" });
  });

  test("waits for a killed gateway, and finds it at its new port", async () => {
    await using first = await startGateway();
    const { ended } = runAsk(["--approve", "Still there?", "--data-dir", first.dataDir]);
    await asked("Still there?", new Api(first.url));
    await first.stop("SIGKILL");
    await using second = await startGateway({ dataDir: first.dataDir });
    await answer("Still there?", { action: "approve" }, new Api(second.url));
    expect(await ended).toMatchObject({ code: 0, stdout: "yes\n" });
  });

  test("asks a gateway elsewhere with a URL and a token from the environment", async () => {
    const { body } = await api.call<{ token: string }>("POST", "/agent-tokens", { label: "CI" });
    const env = { HOLDPOINT_URL: gateway.url, HOLDPOINT_AGENT_TOKEN: body.token };
    const { ended } = runAsk(["--approve", "From CI?", "--data-dir", folder], env);
    await answer("From CI?", { action: "approve" });
    expect(await ended).toMatchObject({ code: 0 });
  });

  test("exits with 4 when there is no gateway, and with 2 when its token is unknown", async () => {
    const elsewhere = (url: string) =>
      runAsk(["--approve", "Anybody?", "--url", url], { HOLDPOINT_AGENT_TOKEN: "x" }).ended;
    const gone = await elsewhere("http://127.0.0.1:9");
    expect(gone).toMatchObject({ code: 4, stdout: "" });
    expect(gone.stderr).toContain("The gateway cannot be reached.");
    const none = await runAsk(["--approve", "Anybody?", "--data-dir", folder]).ended;
    expect(none).toMatchObject({ code: 4, stdout: "" });
    expect(await elsewhere(gateway.url)).toMatchObject({ code: 2, stdout: "" });
  });

  test.each([
    ["nothing", []],
    ["two things", ["--approve", "a", "--choose", "b,c"]],
    ["one choice", ["--choose", "a"]],
    ["the same choice twice", ["--choose", "a,a"]],
    ["no time", ["--approve", "a", "--timeout", "soon"]],
    ["a file that is not there", ["--approve", "a", "--detail", "@/no/such/file"]],
    ["a form that is none", ["--form", import.meta.filename]],
    ["an unknown flag", ["--approve", "a", "--yes"]],
    ["no text", ["--approve", ""]],
    ["a name of the gateway's", ["--approve", "a", "--label", "Holdpoint"]],
    ["a callback that is no address", ["--approve", "a", "--callback", "ci.example.org"]],
    ["a detail without end", ["--approve", "a", "--detail", `@${process.execPath}`]],
  ])("refuses %s in one line, with exit code 2", async (_, args) => {
    const { code, stdout, stderr } = await ask(...args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/u);
  });

  test("prints the gateway's reason for refusing a callback address", async () => {
    const callback = ["--callback", "https://ci.example.org/done"];
    const { code, stdout, stderr } = await ask("--approve", "a", ...callback).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: "holdpoint: The gateway's config does not allow callbacks to ci.example.org.\n",
    });
  });

  test("keeps a token that only its user can read and that can only ask", async () => {
    const path = join(gateway.dataDir, "ask.token");
    expect((await stat(path)).mode & 0o077).toBe(0);
    const token = (await readFile(path, "utf8")).trim();
    const own = new Api(gateway.url, { token });
    for (const [method, path] of [
      ["GET", "/sessions"],
      ["GET", "/interactions"],
      ["GET", "/agent-tokens"],
      ["POST", "/interactions/int_1/response"],
    ] as const) {
      const { status } = await own.call(
        method,
        path,
        method === "POST" ? { action: "deny" } : undefined,
      );
      expect([path, status]).toEqual([path, 403]);
    }
  });
});
