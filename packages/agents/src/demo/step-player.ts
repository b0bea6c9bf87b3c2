import { join } from "node:path";

import type { Clock, HoldResult, Ids, TurnContext, TurnResult } from "@holdpoint/engine";
import { type InteractionResponse, saying } from "@holdpoint/protocol";

import {
  applyEdit,
  readText,
  runFileTool,
  toFileToolCall,
  type FileToolCall,
} from "./file-tool.ts";
import { readAnswers, readForm, toNoAnswer } from "./read-response.ts";
import { SECRET_FIELDS } from "./sample-form.ts";
import { prepareScratchFolder } from "./scratch-folder.ts";
import type {
  ActStep,
  AskStep,
  EditPermission,
  EditResult,
  EditStep,
  FileEdit,
  FormStep,
  GatewayToolResult,
  GatewayToolStep,
  Step,
} from "./step.ts";
import { toFormToolResult, toToolDenial, toToolRefusal, toToolResult } from "./words.ts";

export interface StepPlayerOptions {
  readonly context: TurnContext;
  /** Ends the turn: combines the context's signal with the end of the session. */
  readonly signal: AbortSignal;
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Delay between two pieces of text. */
  readonly delayMs: number;
  /** Whether the permission mode currently lets edits pass. */
  readonly passesEdits: () => boolean;
  readonly callTool: CallGatewayTool;
  /** Called for each call that really runs. */
  readonly onToolRun: (call: FileToolCall) => void;
}

const ASK = "AskQuestions";
const FORM = "AskWithForm";

/** Calls a gateway tool. Never rejects: a failure is a result. */
export type CallGatewayTool = (
  call: { readonly toolCallId: string; readonly name: string; readonly args: unknown },
  options: { readonly signal: AbortSignal },
) => Promise<GatewayToolResult>;

/** Waits until a tool call has its result; resolves to the steps that follow from it. */
type Settle = () => Promise<readonly Step[]>;

type Answered = Extract<HoldResult, { outcome: "answered" }>;

/** A call of a file tool, with the file's content at the time of the call. */
interface AskedEdit {
  readonly toolCallId: string;
  readonly call: FileToolCall;
  readonly edit: FileEdit;
  readonly path: string;
  readonly before: string | undefined;
}

/** Why an edit may run, and with which input; or why it may not. */
type EditDecision =
  | { readonly input: Record<string, unknown>; readonly because: EditPermission }
  | { readonly result: EditResult; readonly told: string };

/** Carries out the steps of one turn. All side effects of the demo agent happen here. */
export class StepPlayer {
  readonly #options: StepPlayerOptions;
  readonly #stopper = new AbortController();
  readonly #signal: AbortSignal;
  #callCount = 0;

  constructor(options: StepPlayerOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#stopper.signal]);
  }

  /** Rejects only if the gateway itself fails; then nothing of the turn is left waiting. */
  async play(steps: readonly Step[]): Promise<TurnResult> {
    for (const step of steps) {
      if (this.#signal.aborted) break;
      if (step.kind === "fail") {
        return { reason: "error", code: "AGENT_FAILED", message: step.message };
      }
      const result = await this.play(await this.#perform(step));
      if (result.reason !== "done") return result;
    }
    return { reason: this.#signal.aborted ? "stopped" : "done" };
  }

  /** Carries out a step. Resolves to the steps that follow from its outcome. */
  async #perform(step: Exclude<Step, { kind: "fail" }>): Promise<readonly Step[]> {
    switch (step.kind) {
      case "say":
        await this.#say(step.text);
        return [];
      case "together":
        return (await this.#together(step.steps)).flat();
      case "form":
        return this.#form(step);
      case "gateway_tool":
        return this.#callGateway(step);
      case "ask":
      case "edit":
        return (await this.#call(step))();
    }
  }

  /** Calls the tool. Resolves to a function that waits for the result and returns the next steps. */
  #call(step: ActStep): Promise<Settle> {
    return step.kind === "ask" ? this.#ask(step) : this.#edit(step);
  }

  /** Calls all tools in order before waiting for any result. If one fails, the others are stopped and awaited first. */
  async #together(steps: readonly ActStep[]): Promise<(readonly Step[])[]> {
    const calls: Settle[] = [];
    for (const step of steps) calls.push(await this.#call(step));
    const settled = calls.map(async (settle) => {
      try {
        return await settle();
      } catch (error: unknown) {
        this.#stopper.abort();
        throw error;
      }
    });
    await Promise.allSettled(settled);
    return Promise.all(settled);
  }

  /** Streams a text. When the turn is stopped, the text so far is kept. */
  async #say(text: string): Promise<void> {
    const { context, ids } = this.#options;
    const messageId = ids.next("msg");
    let said = "";
    for (const piece of text.trimEnd().split(/(?<=\S)(?=\s)/u)) {
      if (said !== "") await this.#pause();
      if (this.#signal.aborted) break;
      said += piece;
      context.delta({ type: "text_delta", messageId, channel: "text", text: piece });
    }
    if (said === "") return;
    await context.emit({ type: "assistant_message", messageId, channel: "text", text: said });
  }

  async #pause(): Promise<void> {
    const { clock, delayMs } = this.#options;
    if (delayMs === 0 || this.#signal.aborted) return;
    try {
      await clock.sleep(delayMs, { signal: this.#signal });
    } catch (error: unknown) {
      if (!this.#signal.aborted) throw error;
    }
  }

  async #ask(step: AskStep): Promise<Settle> {
    const toolCallId = this.#nextCallId();
    const input = { questions: step.questions };
    await this.#options.context.emit({ type: "tool_call", toolCallId, toolName: ASK, input });
    return () => this.#settleAsk(step, toolCallId);
  }

  async #settleAsk(step: AskStep, toolCallId: string): Promise<readonly Step[]> {
    const { context } = this.#options;
    const { prompt, questions } = step;
    const held = await context.hold(
      { kind: "question", toolCallId, toolName: ASK, prompt, questions },
      { signal: this.#signal },
    );
    const isAnswered = held.outcome === "answered";
    const result = isAnswered ? readAnswers(questions, held.response) : toNoAnswer(held);
    if (isAnswered) await this.#receive(held);
    const isError = result.outcome !== "answered" && result.outcome !== "replied";
    await context.emit({ type: "tool_result", toolCallId, content: toToolResult(result), isError });
    return step.next(result);
  }

  async #form(step: FormStep): Promise<readonly Step[]> {
    const { context } = this.#options;
    const { prompt, form } = step;
    const toolCallId = this.#nextCallId();
    await context.emit({ type: "tool_call", toolCallId, toolName: FORM, input: { prompt } });
    const held = await context.hold(
      { kind: "form", toolCallId, toolName: FORM, prompt, form },
      { signal: this.#signal },
    );
    const result = held.outcome === "answered" ? readForm(held) : toNoAnswer(held);
    if (held.outcome === "answered") await this.#receive(held);
    const content = toFormToolResult(result, SECRET_FIELDS);
    const isError = result.outcome !== "submitted";
    await context.emit({ type: "tool_result", toolCallId, content, isError });
    return step.next(result);
  }

  async #callGateway(step: GatewayToolStep): Promise<readonly Step[]> {
    const { context, callTool } = this.#options;
    const { toolName, input } = step;
    const toolCallId = this.#nextCallId();
    await context.emit({ type: "tool_call", toolCallId, toolName, input });
    const call = { toolCallId, name: toolName, args: input };
    const result = await callTool(call, { signal: this.#signal });
    await context.emit({ type: "tool_result", toolCallId, ...result });
    return step.next(result);
  }

  async #edit(step: EditStep): Promise<Settle> {
    const { context, folder } = this.#options;
    await prepareScratchFolder(folder);
    const path = join(folder, step.file);
    const before = await readText(path);
    const edit = step.change(before);
    const call = toFileToolCall(path, edit);
    const toolCallId = this.#nextCallId();
    await context.emit({ type: "tool_call", toolCallId, ...call });
    return () => this.#settleEdit(step, { toolCallId, call, edit, path, before });
  }

  async #settleEdit(step: EditStep, asked: AskedEdit): Promise<readonly Step[]> {
    const { context } = this.#options;
    const { toolCallId, call } = asked;
    const decision = await this.#decide(step, asked);
    const { result, told } =
      "input" in decision
        ? await this.#run({ ...call, input: decision.input }, decision.because, asked)
        : decision;
    const isError = result.outcome !== "edited";
    await context.emit({ type: "tool_result", toolCallId, content: told, isError });
    return step.next(result);
  }

  async #decide(step: EditStep, asked: AskedEdit): Promise<EditDecision> {
    const { context, folder, passesEdits } = this.#options;
    const { call, edit, toolCallId, path, before } = asked;
    if (passesEdits()) return { input: call.input, because: "mode" };
    const applied = applyEdit(before, edit);
    const held = await context.hold(
      {
        kind: "approval",
        toolCallId,
        ...call,
        display: {
          title: step.title,
          description: step.description,
          reason: "The demo agent asks before it changes a file.",
        },
        ...("after" in applied && {
          change: { path, after: applied.after, ...(before !== undefined && { before }) },
        }),
        scopes: ["once", "session"],
        scopeText: {
          session: saying("covers_folder_edits", { folder }),
        },
        grantKey: folder,
        grantFamily: "edit",
        editable: true,
      },
      { signal: this.#signal },
    );
    if (held.outcome !== "answered") {
      const result = toNoAnswer(held);
      return { result, told: toToolRefusal(result) };
    }
    await this.#receive(held);
    return readDecision(held);
  }

  async #run(
    call: FileToolCall,
    because: EditPermission,
    { path, before }: AskedEdit,
  ): Promise<{ result: EditResult; told: string }> {
    const { folder, onToolRun } = this.#options;
    if (this.#signal.aborted) {
      const message = "the turn was stopped";
      return { result: { outcome: "failed", message }, told: message };
    }
    const ran = await runFileTool(call, { folder, seen: { path, before } });
    if (!ran.ok) return { result: { outcome: "failed", message: ran.message }, told: ran.message };
    onToolRun(call);
    return { result: { outcome: "edited", because }, told: ran.message };
  }

  /** Waits until the log records the delivery before the agent acts on the response, so that it acts at most once. */
  async #receive(held: Answered): Promise<void> {
    await held.delivered();
    if (held.response.stopTurn === true) this.#stopper.abort();
  }

  #nextCallId(): string {
    this.#callCount += 1;
    return `${this.#options.context.turnId}_call_${this.#callCount}`;
  }
}

function readDecision({ response, input }: Answered): EditDecision {
  if (response.action !== "approve" || input === undefined) return toDenial(response);
  if (response.grantId !== undefined) return { input, because: "session" };
  return { input, because: response.editedInput === undefined ? "approved" : "changed" };
}

function toDenial({ reason }: InteractionResponse): EditDecision {
  const result: EditResult = { outcome: "denied", ...(reason === undefined ? {} : { reason }) };
  return { result, told: toToolDenial(reason) };
}
