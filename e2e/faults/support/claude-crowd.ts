import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import {
  callTool,
  type ModelBlock,
  type ModelRequest,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction, SessionEvent } from "@holdpoint/protocol";

import { Api, until } from "../../support/api.ts";
import { type GatewayProcess, spawnGateway, startGateway } from "../../support/gateway-process.ts";
import { findSceneProcesses, killHard, type SceneProcess } from "./scene-processes.ts";

/** An agent's request to the model, with the agent's session. */
export interface ModelCall {
  readonly atMs: number;
  readonly label: string;
}

/** A session with its own folder, which gives it its name. */
export interface CrowdSession {
  readonly label: string;
  readonly sessionId: string;
  readonly folder: string;
}

/** A command for an agent to run. */
export interface CrowdCommand {
  readonly session: CrowdSession;
  readonly name: string;
  /** The end of the session's log before the command. */
  readonly fromSeq: number;
}

/**
 * Sessions of the real Claude behind one gateway process that may be killed and started again with its data folder.
 * The model runs here. A message `go LABEL-NUMBER` makes it call Bash with a command that adds that name to a file;
 * it replies to everything else with a sentence.
 */
export class ClaudeCrowd implements AsyncDisposable {
  readonly folder: string;
  readonly calls: readonly ModelCall[];
  readonly sessions: CrowdSession[] = [];
  readonly #model: ScriptedModel;
  #gateway: GatewayProcess | undefined;
  #api: Api | undefined;

  private constructor(folder: string, model: ScriptedModel, calls: readonly ModelCall[]) {
    this.folder = folder;
    this.#model = model;
    this.calls = calls;
  }

  static async open(sessionCount: number): Promise<ClaudeCrowd> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-faults-")));
    for (const name of ["work", "home"]) await mkdir(join(folder, name));
    const calls: ModelCall[] = [];
    const model = await openScriptedModel((request) => {
      calls.push({ atMs: performance.now(), label: labelIn(JSON.stringify(request.body)) });
      return [reply(request)];
    });
    const crowd = new ClaudeCrowd(folder, model, calls);
    await crowd.start();
    for (let index = 0; index < sessionCount; index += 1) await crowd.#addSession(`s${index}`);
    return crowd;
  }

  get api(): Api {
    if (!this.#api) throw new Error("No gateway runs.");
    return this.#api;
  }

  /** Starts a gateway; the previous one must be dead. */
  async start(): Promise<void> {
    const cwd = join(this.folder, "work");
    this.#gateway = await startGateway({ dataDir: this.#dataDir, cwd, env: this.#env });
    this.#api = new Api(this.#gateway.url);
  }

  /** Starts a gateway that is killed before or soon after it listens. */
  async startAndKill(afterMs: number): Promise<void> {
    const child = spawnGateway(["--json", "--port", "0", "--data-dir", this.#dataDir], {
      cwd: join(this.folder, "work"),
      env: this.#env,
    });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    await setTimeout(afterMs);
    child.kill("SIGKILL");
    await exited;
  }

  /** `kill -9`; returns at once. */
  killGateway(): void {
    this.#gateway?.process.kill("SIGKILL");
  }

  /** Waits until the killed gateway is gone. */
  async buryGateway(): Promise<void> {
    await this.#gateway?.[Symbol.asyncDispose]();
    this.#gateway = undefined;
    this.#api = undefined;
  }

  /** Asks the gateway to stop, and returns its exit code. */
  async stopGateway(): Promise<number | null> {
    const code = await this.#gateway?.stop("SIGTERM");
    await this.buryGateway();
    return code ?? null;
  }

  processes(): SceneProcess[] {
    return findSceneProcesses(this.folder);
  }

  /** The number of times the command has run. */
  runs({ session, name }: CrowdCommand): number {
    const file = join(session.folder, "runs.txt");
    if (!existsSync(file)) return 0;
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => line === name).length;
  }

  /** The events of the command. */
  events({ session, fromSeq }: CrowdCommand): Promise<readonly SessionEvent[]> {
    return this.api.events(session.sessionId, fromSeq);
  }

  /** The interaction in which the agent asked about the command, if any. */
  async asked(command: CrowdCommand): Promise<Interaction | undefined> {
    const text = commandFor(command.name);
    const ids = (await this.events(command)).flatMap((event) =>
      event.type === "interaction_request" && event.interaction.approval?.input["command"] === text
        ? [event.interaction.interactionId]
        : [],
    );
    const [interactionId, second] = ids;
    if (second) throw new Error(`${command.name} was asked ${ids.length} times.`);
    return interactionId === undefined ? undefined : this.api.interaction(interactionId);
  }

  /** Whether the call is in Claude's own records, which allow starting again at it. */
  hasRecordOf(toolCallId: string): boolean {
    return globSync(join(this.folder, "claude/projects/*/*.jsonl")).some((path) =>
      readFileSync(path, "utf8").includes(`"${toolCallId}"`),
    );
  }

  /** Opens new sessions in the same folders, so that no log grows for ever. */
  async renewSessions(): Promise<void> {
    const before = this.sessions.splice(0);
    for (const { label, sessionId } of before) {
      await this.api.call("DELETE", `/sessions/${sessionId}`);
      await this.#addSession(label);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.buryGateway();
    for (const { pid } of this.processes()) killHard(pid);
    await until(async () => this.processes().length === 0, "the end of what was started");
    await this.#model[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #dataDir(): string {
    return join(this.folder, "data");
  }

  get #env(): Record<string, string> {
    return {
      ...this.#model.env(join(this.folder, "claude")),
      // Puts the scene's folder into the environment of each process. No login script of this account can be killed
      // half-way.
      HOME: join(this.folder, "home"),
    };
  }

  async #addSession(label: string): Promise<void> {
    const folder = join(this.folder, "work", label);
    await mkdir(folder, { recursive: true });
    const { sessionId } = await this.api.createSession({ agent: "claude", cwd: folder });
    this.sessions.push({ label, sessionId, folder });
  }
}

function reply({ lastPrompt, results }: ModelRequest): ModelBlock {
  const [, name] = /(?:^|\n)go (\S+)\s*$/u.exec(lastPrompt) ?? [];
  if (name === undefined || results.length > 0) return say("Noted.");
  return callTool("Bash", { command: commandFor(name), description: "Add a line" });
}

/** Names begin with the label of their session, wherever a conversation quotes them. */
function labelIn(conversation: string): string {
  return /\b(s\d+)-\d+/u.exec(conversation)?.[1] ?? "";
}

function commandFor(name: string): string {
  return `echo ${name} >> runs.txt`;
}
