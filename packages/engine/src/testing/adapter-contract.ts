import { agentInfoSchema } from "@holdpoint/protocol";
import type { Answer, Question } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type {
  AgentAdapter,
  AgentSession,
  HoldRequest,
  TurnResult,
} from "../ports/agent-adapter.ts";
import { assertWellFormedTurn } from "./assert-well-formed-turn.ts";
import { createRecordingTurn } from "./recording-turn.ts";
import type { HoldScript, RecordingTurn, ScriptedOutcome } from "./recording-turn.ts";

/**
 * What an agent must be brought to do in one turn, in whatever way it is scripted:
 *
 * - `say_text`: say some text, in pieces where the agent can, and ask for nothing
 * - `ask_question`: ask one card of at least two questions, the first single-select, one of them multi-select,
 *   each with at least two options; then say something
 * - `run_tool`: call once a tool that needs approval in the default permission mode; then say something
 * - `run_three_tools`: call it three times with three different inputs, at once if the agent can
 * - `fail`: run into an error of the agent or its model
 */
export type AgentBehaviour = "say_text" | "ask_question" | "run_tool" | "run_three_tools" | "fail";

/** What an adapter may be unable to do. */
export type AdapterCapability = "edited_input" | "run_three_tools" | "fail";

/** A fresh adapter with an agent whose behaviour the suite can choose. Disposed after each test, the adapter first. */
export interface AdapterSubject extends AsyncDisposable {
  readonly adapter: AgentAdapter;
  readonly cwd: string;
  /** The message that makes the agent behave so in its next turn. */
  prompt(behaviour: AgentBehaviour): string;
  /** Everything that the agent itself was told as the result of a tool call or question, in order. */
  heard(): readonly string[];
  /** The inputs with which the tool of `run_tool` really ran, in order. */
  ranWith(): readonly Record<string, unknown>[];
  /** Another input that the same tool can run with. */
  edit(input: Record<string, unknown>): Record<string, unknown>;
}

export interface AdapterContractOptions {
  readonly cannot?: readonly AdapterCapability[];
  /** The longest that stopping or disposing may take. */
  readonly stopWithinMs?: number;
}

interface RanTurn {
  readonly turn: RecordingTurn;
  readonly result: TurnResult;
}

/** The suite that every adapter passes. `setup` is called for each test. */
export function describeAdapterContract(
  name: string,
  setup: () => Promise<AdapterSubject>,
  options: AdapterContractOptions = {},
): void {
  const { cannot = [], stopWithinMs = 10_000 } = options;
  const lacks = (capability: AdapterCapability): boolean => cannot.includes(capability);

  describe(`adapter contract: ${name}`, () => {
    let subject: AdapterSubject;
    beforeEach(async () => {
      subject = await setup();
    });
    afterEach(async () => {
      await subject.adapter[Symbol.asyncDispose]();
      await subject[Symbol.asyncDispose]();
    });

    async function openSession(
      choice: { permissionMode?: string; state?: string } = {},
    ): Promise<AgentSession> {
      const { defaultPermissionMode } = await subject.adapter.describe({ signal: never });
      return subject.adapter.openSession({
        sessionId: "ses_contract",
        cwd: subject.cwd,
        permissionMode: defaultPermissionMode,
        ...choice,
      });
    }

    async function run(
      session: AgentSession,
      behaviour: AgentBehaviour,
      script?: HoldScript,
    ): Promise<RanTurn> {
      const turn = createRecordingTurn(script === undefined ? {} : { script });
      const message = { messageId: "msg_user", content: subject.prompt(behaviour) };
      const result = await session.runTurn(message, turn);
      turn.end();
      assertWellFormedTurn(turn, result);
      return { turn, result };
    }

    /** The session takes another turn, as if nothing had been. */
    async function expectUsable(session: AgentSession): Promise<void> {
      const { turn, result } = await run(session, "say_text");
      expect(result).toEqual({ reason: "done" });
      expect(spokenText(turn)).not.toBe("");
    }

    /** Runs a turn until it holds, and gives it back with what will end it. */
    async function runUntilHeld(
      session: AgentSession,
      behaviour: AgentBehaviour,
    ): Promise<{ turn: RecordingTurn; ended: Promise<TurnResult> }> {
      const held = Promise.withResolvers<void>();
      const turn = createRecordingTurn({
        script: () => {
          held.resolve();
          return new Promise<never>(() => undefined);
        },
      });
      const ended = session.runTurn(
        { messageId: "msg_user", content: subject.prompt(behaviour) },
        turn,
      );
      await Promise.race([held.promise, ended]);
      expect(turn.requests).toHaveLength(1);
      return { turn, ended };
    }

    test("describes itself in the words of the protocol", async () => {
      const info = agentInfoSchema.parse(await subject.adapter.describe({ signal: never }));
      const modes = info.permissionModes.map(({ mode }) => mode);
      expect(new Set(modes).size).toBe(modes.length);
      expect(modes).toContain(info.defaultPermissionMode);
      expect(info.available).toBe(true);
    });

    describe("text", () => {
      test("[R-8] streams in pieces that add up to the text that is kept", async () => {
        const { turn, result } = await run(await openSession(), "say_text");
        expect(result).toEqual({ reason: "done" });
        expect(spokenText(turn)).not.toBe("");
        expect(turn.deltas.some((delta) => delta.type === "text_delta")).toBe(true);
        expect(turn.requests).toEqual([]);
      });

      test("turns of one session follow each other, with ids of their own", async () => {
        const session = await openSession();
        const first = await run(session, "say_text");
        const second = await run(session, "say_text");
        const ids = [first, second].flatMap(({ turn }) =>
          turn.events.flatMap((event) =>
            event.type === "assistant_message" ? [event.messageId] : [],
          ),
        );
        expect(new Set(ids).size).toBe(ids.length);
      });
    });

    describe("a question", () => {
      test("is structured, and its answers reach the agent", async () => {
        let questions: readonly Question[] = [];
        const { turn, result } = await run(await openSession(), "ask_question", (request) => {
          questions = questionsOf(request);
          return submit({ answers: questions.map((question) => pickLast(question)) });
        });
        expect(result).toEqual({ reason: "done" });
        expect(turn.requests).toHaveLength(1);
        expectAnswerable(questions);
        const heard = subject.heard().join("\n");
        for (const { options } of questions) {
          expect(heard).toContain(options.at(-1)?.label);
          expect(heard).not.toContain(options.at(0)?.label);
        }
      });

      test("can be answered with several options and with the person's own words", async () => {
        let labels: string[] = [];
        const { result } = await run(await openSession(), "ask_question", (request) =>
          submit({
            answers: questionsOf(request).map((question): Answer => {
              if (!question.multiSelect) {
                return { questionId: question.id, selected: [], other: "none of these, but teal" };
              }
              labels = question.options.slice(0, 2).map(({ label }) => label);
              const selected = question.options.slice(0, 2).map(({ id }) => id);
              return { questionId: question.id, selected, other: "and a pony" };
            }),
          }),
        );
        expect(result).toEqual({ reason: "done" });
        expect(labels).toHaveLength(2);
        const heard = subject.heard().join("\n");
        for (const words of ["none of these, but teal", ...labels, "and a pony"]) {
          expect(heard).toContain(words);
        }
      });

      test("can be answered with a free reply to the whole card", async () => {
        const { result } = await run(await openSession(), "ask_question", () =>
          submit({ reply: "Decide for yourself, please." }),
        );
        expect(result).toEqual({ reason: "done" });
        expect(subject.heard().join("\n")).toContain("Decide for yourself, please.");
      });

      test("[R-5] that is cancelled has no answer", async () => {
        let questions: readonly Question[] = [];
        const { result } = await run(await openSession(), "ask_question", (request) => {
          questions = questionsOf(request);
          return { outcome: "answered", response: { action: "cancel" } };
        });
        expect(result).toEqual({ reason: "done" });
        expectNoLabelHeard(subject, questions);
      });

      test("[R-5] that nobody answers has no answer, and the agent goes on", async () => {
        let questions: readonly Question[] = [];
        const { turn, result } = await run(await openSession(), "ask_question", (request) => {
          questions = questionsOf(request);
          return { outcome: "expired" };
        });
        expect(result).toEqual({ reason: "done" });
        expect(spokenText(turn)).not.toBe("");
        expect(subject.heard()).toHaveLength(1);
        expectNoLabelHeard(subject, questions);
      });

      test("[R-12] is asked in every permission mode", async () => {
        const { permissionModes } = await subject.adapter.describe({ signal: never });
        const asked: string[] = [];
        for (const { mode } of permissionModes) {
          const session = await openSession({ permissionMode: mode });
          await run(session, "ask_question", (request) => {
            asked.push(mode);
            return submit({ answers: questionsOf(request).map((question) => pickLast(question)) });
          });
          await session[Symbol.asyncDispose]();
        }
        expect(asked).toEqual(permissionModes.map(({ mode }) => mode));
      });
    });

    describe("an approval", () => {
      test("[R-6] runs exactly what was asked about", async () => {
        const { turn, result } = await run(await openSession(), "run_tool", () => approve());
        expect(result).toEqual({ reason: "done" });
        expect(turn.requests).toHaveLength(1);
        expect(subject.ranWith()).toEqual([approvalOf(turn.requests[0]).input]);
      });

      test.skipIf(lacks("edited_input"))("[R-6] runs exactly the person's edit", async () => {
        let edited: Record<string, unknown> = {};
        const { turn } = await run(await openSession(), "run_tool", (request) => {
          edited = subject.edit(approvalOf(request).input);
          return approve({ editedInput: edited });
        });
        expect(approvalOf(turn.requests[0]).editable).toBe(true);
        expect(subject.ranWith()).toEqual([edited]);
      });

      test("offers once, and says what a wider scope covers", async () => {
        const { turn } = await run(await openSession(), "run_tool", () => deny("no"));
        const { scopes, scopeText } = approvalOf(turn.requests[0]);
        expect(scopes).toContain("once");
        const wider = scopes.filter((scope) => scope !== "once");
        expect(wider.filter((scope) => (scopeText[scope] ?? "") === "")).toEqual([]);
      });

      test("that is denied does not run, and the agent hears why", async () => {
        const { turn, result } = await run(await openSession(), "run_tool", () =>
          deny("Not on a Friday."),
        );
        expect(result).toEqual({ reason: "done" });
        expect(subject.ranWith()).toEqual([]);
        expect(subject.heard().join("\n")).toContain("Not on a Friday.");
        expect(spokenText(turn)).not.toBe("");
      });

      test("that is denied with an end to the turn stops it", async () => {
        const session = await openSession();
        const { result } = await run(session, "run_tool", () => ({
          outcome: "answered",
          response: { action: "deny", reason: "Enough.", stopTurn: true },
        }));
        expect(result).toEqual({ reason: "stopped" });
        expect(subject.ranWith()).toEqual([]);
        await expectUsable(session);
      });

      test.each<[string, ScriptedOutcome]>([
        ["expired", { outcome: "expired" }],
        ["refused by the gateway", { outcome: "withdrawn", reason: "Too many are waiting." }],
        ["answered with a cancel", { outcome: "answered", response: { action: "cancel" } }],
        ["answered without a decision", { outcome: "answered", response: { action: "submit" } }],
      ])("[R-5] that is %s runs nothing, and the agent goes on", async (_how, outcome) => {
        const session = await openSession();
        const { result } = await run(session, "run_tool", () => outcome);
        expect(result).toEqual({ reason: "done" });
        expect(subject.ranWith()).toEqual([]);
        expect(subject.heard()).toHaveLength(1);
        await expectUsable(session);
      });

      test("[R-5] is asked for in a permission mode that nobody knows", async () => {
        const session = await openSession({ permissionMode: "no_such_mode" });
        const { turn } = await run(session, "run_tool", () => deny("no"));
        expect(turn.requests.map(({ kind }) => kind)).toEqual(["approval"]);
        expect(subject.ranWith()).toEqual([]);
      });

      test("[R-5] is still asked for after a permission mode was refused", async () => {
        const session = await openSession();
        await expect(session.setPermissionMode("no_such_mode")).rejects.toThrow(/\S/);
        const { turn } = await run(session, "run_tool", () => deny("no"));
        expect(turn.requests).toHaveLength(1);
        expect(subject.ranWith()).toEqual([]);
      });

      test.skipIf(lacks("run_three_tools"))(
        "[R-15] among others decides only its own call",
        async () => {
          let count = 0;
          const { turn, result } = await run(await openSession(), "run_three_tools", () => {
            count += 1;
            return count === 2 ? deny("Not the second.") : approve();
          });
          expect(result).toEqual({ reason: "done" });
          const inputs = turn.requests.map((request) => approvalOf(request).input);
          expect(inputs).toHaveLength(3);
          const ran = subject.ranWith();
          expect(ran).toHaveLength(2);
          expect(ran).toEqual(expect.arrayContaining([inputs[0], inputs[2]]));
        },
      );
    });

    describe("stopping", () => {
      test.each<AgentBehaviour>(["ask_question", "run_tool"])(
        "[R-18] while a hold of %s waits ends the turn, and the session takes another",
        async (behaviour) => {
          const session = await openSession();
          const { turn, ended } = await runUntilHeld(session, behaviour);
          turn.stop();
          const result = await within(stopWithinMs, ended);
          turn.end();
          expect(result).toEqual({ reason: "stopped" });
          assertWellFormedTurn(turn, result);
          expect(subject.ranWith()).toEqual([]);
          await expectUsable(session);
        },
      );

      test("a turn that is stopped before it starts does nothing", async () => {
        const session = await openSession();
        const turn = createRecordingTurn();
        turn.stop();
        const message = { messageId: "msg_user", content: subject.prompt("run_tool") };
        const result = await within(stopWithinMs, session.runTurn(message, turn));
        expect(result).toEqual({ reason: "stopped" });
        expect(subject.ranWith()).toEqual([]);
      });

      test("disposing ends a turn that waits, and may be done twice", async () => {
        const session = await openSession();
        const { turn, ended } = await runUntilHeld(session, "run_tool");
        await within(stopWithinMs, session[Symbol.asyncDispose]());
        const result = await within(stopWithinMs, ended);
        turn.end();
        expect(result.reason).not.toBe("done");
        expect(subject.ranWith()).toEqual([]);
        await session[Symbol.asyncDispose]();
      });

      test("disposing the adapter ends its sessions, and may be done twice", async () => {
        const { ended } = await runUntilHeld(await openSession(), "run_tool");
        await within(stopWithinMs, subject.adapter[Symbol.asyncDispose]());
        expect((await within(stopWithinMs, ended)).reason).not.toBe("done");
        expect(subject.ranWith()).toEqual([]);
        await subject.adapter[Symbol.asyncDispose]();
      });
    });

    test.skipIf(lacks("fail"))("a failing agent ends its turn only", async () => {
      const session = await openSession();
      const { result } = await run(session, "fail");
      expect(result).toMatchObject({ reason: "error", message: expect.stringMatching(/\S/) });
      await expectUsable(session);
    });

    test("a session is opened again from the state that it kept", async () => {
      const first = await openSession();
      const { turn } = await run(first, "say_text");
      await first[Symbol.asyncDispose]();
      const { state } = turn;
      const reopened = await openSession(state === undefined ? {} : { state });
      const { result } = await run(reopened, "say_text");
      expect(result).toEqual({ reason: "done" });
    });

    test("a session is opened again from a state that means nothing any more", async () => {
      const session = await openSession({ state: "no such state" });
      const { turn, result } = await run(session, "run_tool", () => deny("no"));
      expect(turn.requests.length === 1 || result.reason === "error").toBe(true);
      expect(subject.ranWith()).toEqual([]);
    });
  });
}

const never = new AbortController().signal;

function questionsOf(request: HoldRequest): readonly Question[] {
  if (request.kind !== "question") throw new Error(`Asked for an ${request.kind}.`);
  return request.questions;
}

function approvalOf(request: HoldRequest | undefined): Extract<HoldRequest, { kind: "approval" }> {
  if (request?.kind !== "approval") throw new Error("No approval was asked for.");
  return request;
}

function pickLast(question: Question): Answer {
  return { questionId: question.id, selected: question.options.slice(-1).map(({ id }) => id) };
}

function submit(said: { answers?: Answer[]; reply?: string }): ScriptedOutcome {
  return { outcome: "answered", response: { action: "submit", ...said } };
}

function approve(said: { editedInput?: Record<string, unknown> } = {}): ScriptedOutcome {
  return { outcome: "answered", response: { action: "approve", approvalScope: "once", ...said } };
}

function deny(reason: string): ScriptedOutcome {
  return { outcome: "answered", response: { action: "deny", reason } };
}

function spokenText(turn: RecordingTurn): string {
  return turn.events
    .flatMap((event) =>
      event.type === "assistant_message" && event.channel === "text" ? [event.text] : [],
    )
    .join("\n")
    .trim();
}

function expectAnswerable(questions: readonly Question[]): void {
  expect(questions.length).toBeGreaterThanOrEqual(2);
  expect(questions[0]?.multiSelect).toBe(false);
  expect(questions.some(({ multiSelect }) => multiSelect)).toBe(true);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  for (const { options } of questions) {
    expect(options.length).toBeGreaterThanOrEqual(2);
    expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
  }
}

function expectNoLabelHeard(subject: AdapterSubject, questions: readonly Question[]): void {
  expect(questions.length).toBeGreaterThan(0);
  const heard = subject.heard().join("\n");
  for (const { options } of questions) {
    for (const { label } of options) expect(heard).not.toContain(label);
  }
}

async function within<T>(limitMs: number, promise: PromiseLike<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not done within ${limitMs} ms.`)), limitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
