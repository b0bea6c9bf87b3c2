import type {
  AgentSession,
  ApprovedCall,
  HoldResult,
  TurnContext,
  TurnMessage,
  TurnResult,
} from "../ports/agent-adapter.ts";
import type { TurnScript } from "./scripted-adapter.ts";

/** The work of a scripted agent in its last turn; it survives the agent's process and the gateway's. */
export interface Transcript {
  message: TurnMessage;
  turnId: string;
  /** The number of events in the log. */
  emitted: number;
  /** By tool call: the answer to the agent. */
  readonly told: Map<string, HoldResult>;
  /** By tool call: its outcome. */
  readonly results: Map<string, "error" | "success">;
  /** Tool calls that wait for a person. */
  readonly waiting: Set<string>;
  /** Tool calls that have certainly not acted, whatever their answer was. */
  readonly untouched: Set<string>;
}

type ParkableSession = Required<
  Pick<
    AgentSession,
    | "runTurn"
    | "attachTurn"
    | "canResume"
    | "findResult"
    | "hasNotActed"
    | "park"
    | "resumeTurn"
    | "detach"
  >
>;

const LOST: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "The agent's process has ended.",
  isAgentLost: true,
};

/**
 * A scripted agent that can be parked. When it is started again, it runs its script from the beginning, but repeats
 * no output and gets the same answers again, until it has caught up.
 */
export class ScriptedParking implements ParkableSession {
  readonly #script: TurnScript;
  readonly #transcripts: Map<string, Transcript>;
  readonly #sessionId: string;
  #process = Promise.withResolvers<TurnResult>();
  #isRunning = false;

  constructor(script: TurnScript, transcripts: Map<string, Transcript>, sessionId: string) {
    this.#script = script;
    this.#transcripts = transcripts;
    this.#sessionId = sessionId;
  }

  runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult> {
    const { turnId } = context;
    const [waiting, untouched] = [new Set<string>(), new Set<string>()];
    const [told, results] = [new Map(), new Map()];
    const transcript = { message, turnId, emitted: 0, told, results, waiting, untouched };
    this.#transcripts.set(this.#sessionId, transcript);
    return this.#play(transcript, context);
  }

  async attachTurn(context: TurnContext): Promise<TurnResult> {
    const transcript = this.#transcripts.get(this.#sessionId);
    return transcript ? this.#play(transcript, context) : LOST;
  }

  async canResume(toolCallId: string): Promise<boolean> {
    const waiting = this.#transcripts.get(this.#sessionId)?.waiting;
    return waiting?.size === 1 && waiting.has(toolCallId);
  }

  async park(): Promise<void> {
    this.end({ reason: "parked" });
  }

  async resumeTurn(toolCallId: string, context: TurnContext): Promise<TurnResult> {
    const transcript = this.#transcripts.get(this.#sessionId);
    if (!transcript || !(await this.canResume(toolCallId))) {
      return { reason: "error", code: "AGENT_CANNOT_RESUME", message: "The transcript is gone." };
    }
    transcript.turnId = context.turnId;
    return this.#play(transcript, context);
  }

  async findResult(toolCallId: string): Promise<"error" | "success" | undefined> {
    return this.#transcripts.get(this.#sessionId)?.results.get(toolCallId);
  }

  async hasNotActed({ interaction: { toolCallId } }: ApprovedCall): Promise<boolean> {
    return this.#transcripts.get(this.#sessionId)?.untouched.has(toolCallId) === true;
  }

  async detach(): Promise<void> {
    this.end();
  }

  /** Ends the process; the turn ends with this result, if any. */
  end(result?: TurnResult): void {
    if (result) this.#process.resolve(result);
    this.#isRunning = false;
  }

  crash(): void {
    this.end(LOST);
  }

  async #play(transcript: Transcript, context: TurnContext): Promise<TurnResult> {
    const process = Promise.withResolvers<TurnResult>();
    this.#process = process;
    this.#isRunning = true;
    const isAlive = (): boolean => this.#isRunning && this.#process === process;
    const played = this.#script(transcript.message, replaying(transcript, context, isAlive));
    const result = await Promise.race([played, process.promise]);
    this.#isRunning = false;
    return result;
  }
}

/** The context of a script that may have run before. Once its process has ended, its actions have no effect. */
function replaying(
  transcript: Transcript,
  context: TurnContext,
  isAlive: () => boolean,
): TurnContext {
  let emitted = 0;
  const never = new Promise<never>(() => undefined);
  return {
    ...context,
    turnId: transcript.turnId,
    emit(event) {
      emitted += 1;
      if (!isAlive()) return never;
      if (emitted <= transcript.emitted) return Promise.resolve();
      transcript.emitted = emitted;
      if (event.type === "tool_result") {
        transcript.results.set(event.toolCallId, event.isError ? "error" : "success");
      }
      return context.emit(event);
    },
    async hold(request, options) {
      const { toolCallId } = request;
      const told = transcript.told.get(toolCallId);
      if (told) return told;
      transcript.waiting.add(toolCallId);
      const result = await context.hold(request, options);
      if (!isAlive()) return never;
      transcript.waiting.delete(toolCallId);
      transcript.told.set(toolCallId, {
        ...result,
        ...(result.outcome === "answered" && { delivered: async () => undefined }),
      });
      return result;
    },
  };
}
