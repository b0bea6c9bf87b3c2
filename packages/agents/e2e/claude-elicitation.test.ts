import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { AgentSession } from "@holdpoint/engine";
import type { HoldScript, RecordingTurn, ScriptedOutcome } from "@holdpoint/engine/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { addElicitingServer, callTool, inOrder, say } from "../src/testing/index.ts";
import { approve, openClaudeScene, runTurn, type ClaudeScene } from "./support/claude-scene.ts";

let scene: ClaudeScene;
let session: AgentSession;
beforeAll(async () => {
  scene = await openClaudeScene();
  await addElicitingServer(join(scene.folder, ".config"));
  session = await scene.openSession();
});
afterAll(() => scene[Symbol.asyncDispose]());

const CALL = "toolu_elicit";
let calls = 0;

/** Runs one call of the server's tool; resolves with the turn, and the answers the server reported. */
async function elicit(
  input: { readonly requests: object[] } & Record<string, unknown>,
  answer: HoldScript,
): Promise<{ turn: RecordingTurn; got: unknown; toolCallId: string }> {
  const toolCallId = `${CALL}${(calls += 1)}`;
  scene.model.play(inOrder([[callTool("mcp__files__elicit", input, toolCallId)], [say("I see.")]]));
  const { turn, result } = await runTurn(session, "ask", (request) =>
    request.kind === "approval" ? approve() : answer(request),
  );
  expect(result).toEqual({ reason: "done" });
  const [told] = scene.model.requests.at(-1)!.results;
  return { turn, got: JSON.parse(told!.text) as unknown, toolCallId };
}

const submit = (values: Record<string, unknown>): ScriptedOutcome => ({
  outcome: "answered",
  response: { action: "submit", values },
  values,
});
const form = (properties: object, required?: string[]) => ({
  mode: "form",
  message: "Who are you?",
  requestedSchema: { type: "object", properties, ...(required && { required }) },
});
const visit = {
  mode: "url",
  message: "Sign in.",
  url: "https://example.com/a?b=1",
  elicitationId: "el_1",
};
const forms = ({ requests }: RecordingTurn) => requests.filter(({ kind }) => kind === "form");

describe("an MCP server that asks during a call of Claude's", () => {
  test("gets the values of its form, and nothing for a field that was left empty", async () => {
    const fields = {
      name: { type: "string", title: "Name", default: "Ada", minLength: 1 },
      size: { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
      tone: { type: "string", oneOf: [{ const: "a", title: "A" }] },
      days: { type: "array", items: { anyOf: [{ const: "mo", title: "Monday" }] }, maxItems: 1 },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] }, default: ["x"] },
      born: { type: "string", format: "date" },
      count: { type: "integer", minimum: 1, maximum: 3 },
      news: { type: "boolean" },
    };
    const values = { name: "Eve", size: "m", tags: ["y"], count: 2 };
    const { turn, got, toolCallId } = await elicit({ requests: [form(fields, ["name"])] }, () =>
      submit(values),
    );
    expect(got).toEqual([{ action: "accept", content: values }]);
    expect(forms(turn)).toEqual([
      {
        kind: "form",
        toolCallId,
        toolName: "mcp__files__elicit",
        prompt: "Who are you?",
        onTimeout: "deny",
        form: {
          schema: { type: "object", properties: fields, required: ["name"] },
          server: { name: "files", requestId: expect.any(String) },
        },
      },
    ]);
  });

  test("gets decline for a denial, and cancel for a closed or expired card", async () => {
    const outcomes: [ScriptedOutcome, string][] = [
      [{ outcome: "answered", response: { action: "deny" } }, "decline"],
      [{ outcome: "answered", response: { action: "cancel" } }, "cancel"],
      [{ outcome: "expired" }, "cancel"],
    ];
    for (const [outcome, action] of outcomes) {
      const { got } = await elicit({ requests: [form({ a: { type: "string" } })] }, () => outcome);
      expect(got).toEqual([{ action }]);
    }
  });

  test("can ask for a visit: the card has the exact address, and the answer contains only a yes", async () => {
    const { turn, got } = await elicit({ requests: [visit] }, () => submit({}));
    expect(got).toEqual([{ action: "accept" }]);
    expect(forms(turn)).toMatchObject([
      { prompt: "Sign in.", form: { visit: { url: visit.url }, server: { name: "files" } } },
    ]);
  });

  test("closes the card when it reports that its page is done, or cancels its request", async () => {
    const complete = join(scene.folder, "complete");
    const waiting: HoldScript = async () => {
      await writeFile(complete, "");
      return new Promise<never>(() => undefined);
    };
    const done = await elicit({ requests: [visit], completeWhen: complete }, waiting);
    expect(done.got).toEqual([{ action: "accept" }]);
    const cancel = join(scene.folder, "cancel");
    const { turn, got } = await elicit(
      { requests: [form({ a: { type: "string" } })], cancelWhen: cancel },
      async () => {
        await writeFile(cancel, "");
        return new Promise<never>(() => undefined);
      },
    );
    expect(got).toEqual(["cancelled by the server"]);
    // The runtime may report the cancellation together with the end of the turn, which also ends the wait.
    const ends = () => [...turn.entries, ...turn.lateEntries];
    await vi.waitFor(() =>
      expect(ends()).toContainEqual(
        expect.objectContaining({
          kind: "held",
          result: expect.objectContaining({ outcome: "withdrawn" }),
        }),
      ),
    );
  });

  test("gets the right answer to each of two identical requests at once", async () => {
    const request = form({ a: { type: "string" } });
    let count = 0;
    const { turn, got } = await elicit({ requests: [request, request] }, () =>
      submit({ a: `${(count += 1)}` }),
    );
    const ids = forms(turn).map((asked) => asked.kind === "form" && asked.form.server?.requestId);
    expect(new Set(ids).size).toBe(2);
    expect(got).toEqual([
      { action: "accept", content: { a: "1" } },
      { action: "accept", content: { a: "2" } },
    ]);
  });

  test("gets a refusal for a form that asks for a secret, and no one is asked", async () => {
    const fields = { apiKey: { type: "string", default: "sk-1" }, note: { type: "string" } };
    const { turn, got } = await elicit({ requests: [form(fields)] }, () => submit({ note: "x" }));
    expect(forms(turn)).toEqual([]);
    expect(got).toEqual([{ action: "cancel" }]);
    expect(JSON.stringify(turn.entries)).toContain("asked for a secret in a form");
  });
});
