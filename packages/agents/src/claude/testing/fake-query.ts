import type { Options, query, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

import { InputQueue } from "../input-queue.ts";

/** A process that the SDK would have started; the test plays the agent. */
export interface FakeProcess {
  readonly options: Options;
  /** The messages to the agent, in order. */
  readonly prompts: SDKUserMessage[];
  /** Control requests, in order. */
  readonly controls: string[];
  readonly isClosed: boolean;
  /** Sends messages as the agent. */
  say(...messages: object[]): void;
  /** Ends the process unexpectedly. */
  crash(message: string): void;
  /** Asks for permission, as the runtime would. */
  askPermission(
    toolName: string,
    toolUseID: string,
    input?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<unknown>;
}

/** Stands in for the SDK's `query`, without a process. */
let requests = 0;

export function createFakeQuery(): { query: typeof query; processes: FakeProcess[] } {
  const processes: FakeProcess[] = [];
  const start = ({ prompt, options = {} }: Parameters<typeof query>[0]): unknown => {
    const output = new InputQueue<SDKMessage>();
    const prompts: SDKUserMessage[] = [];
    const controls: string[] = [];
    let isClosed = false;
    let failure: Error | undefined;
    void (async () => {
      for await (const message of prompt as AsyncIterable<SDKUserMessage>) prompts.push(message);
    })();
    async function* messages(): AsyncGenerator<SDKMessage, void> {
      yield* output;
      if (failure !== undefined) throw failure;
    }
    const control = (name: string) => {
      controls.push(name);
      return Promise.resolve();
    };
    processes.push({
      options,
      prompts,
      controls,
      get isClosed() {
        return isClosed;
      },
      say: (...said) => said.forEach((message) => output.push(message as SDKMessage)),
      crash(message) {
        failure = new Error(message);
        output.close();
      },
      askPermission: (toolName, toolUseID, input = {}, signal = new AbortController().signal) =>
        options.canUseTool?.(toolName, input, {
          signal,
          toolUseID,
          requestId: `request ${(requests += 1)}`,
        }) ?? Promise.reject(new Error("Nobody can be asked.")),
    });
    return Object.assign(messages(), {
      interrupt: () => control("interrupt"),
      setPermissionMode: (mode: string) => control(`mode ${mode}`),
      setMcpServers: async (servers: Record<string, object>) => {
        await control(`servers ${JSON.stringify(servers)}`);
        return { added: Object.keys(servers), removed: [], errors: {} };
      },
      setModel: (model: string) => control(`model ${model}`),
      close() {
        isClosed = true;
        output.close();
      },
    });
  };
  return { query: start as typeof query, processes };
}
