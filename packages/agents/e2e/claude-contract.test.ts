import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type AgentAdapter, createSystemClock, createSystemIds } from "@holdpoint/engine";
import {
  describeAdapterAttach,
  describeAdapterContract,
  describeAdapterParking,
  type AgentBehaviour,
  type AttachSubject,
} from "@holdpoint/engine/testing";

import { createClaudeAdapter } from "../src/claude/claude-adapter.ts";
import { openAgentHosts } from "../src/host/agent-hosts.ts";
import {
  callTool,
  fail,
  openScriptedModel,
  say,
  type ModelReply,
  type ModelRequest,
} from "../src/testing/index.ts";

const card = {
  questions: [
    {
      header: "Colour",
      question: "Which colour?",
      multiSelect: false,
      options: [
        { label: "Crimson", description: "Warm" },
        { label: "Turquoise", description: "Cold" },
      ],
    },
    {
      header: "Sizes",
      question: "Which sizes?",
      multiSelect: true,
      options: [
        { label: "Tiny", description: "S" },
        { label: "Medium", description: "M" },
        { label: "Gigantic", description: "L" },
      ],
    },
  ],
};

async function openSubject(): Promise<AttachSubject> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "claude-contract-")));
  await mkdir(join(folder, "data"));
  const heard: string[] = [];
  const inputs = new Map<string, Record<string, unknown>>();

  /** An input of Bash that creates a file with this name when it runs. */
  const leaves = (name: string): Record<string, unknown> => {
    const input = { command: `echo ${name} >> ran.txt`, description: "Leave a trace" };
    inputs.set(name, input);
    return input;
  };

  const perform = (behaviour: AgentBehaviour): ModelReply => {
    switch (behaviour) {
      case "say_text":
        return [say("Here is a text that is longer than one piece.")];
      case "ask_question":
        return [callTool("AskUserQuestion", card)];
      case "run_tool":
        return [callTool("Bash", leaves("one"))];
      case "run_three_tools":
        return ["one", "two", "three"].map((name) => callTool("Bash", leaves(name)));
      case "fail":
        return fail(529, "overloaded_error");
    }
  };

  const script = ({ lastPrompt, results }: ModelRequest): ModelReply => {
    // After a turn without an answer the agent puts two prompts into one message.
    const behaviour = [...lastPrompt.matchAll(/BEHAVE (\w+)/gu)].at(-1)?.[1];
    if (behaviour !== undefined) return perform(behaviour as AgentBehaviour);
    heard.push(...results.map(({ text }) => text));
    return [say("I have heard it.")];
  };

  const model = await openScriptedModel(script);
  const env = { ...process.env, ...model.env(join(folder, "config")), HOME: folder };
  const openHosts = () =>
    openAgentHosts({ dataDir: join(folder, "data"), tokenFor: (id) => `token of ${id}` });
  const openAdapter = (): AgentAdapter =>
    createClaudeAdapter({
      env: { ...env, IS_SANDBOX: "1" },
      clock: createSystemClock(),
      ids: createSystemIds(),
      hosts: openHosts(),
    });
  return {
    adapter: openAdapter(),
    // A host that is attached to again regards the previous gateway as dead.
    restart: () => Promise.resolve(openAdapter()),
    countHosted: () => openHosts().list().length,
    cwd: folder,
    prompt: (behaviour) => `BEHAVE ${behaviour}`,
    heard: () => heard,
    ranWith() {
      const path = join(folder, "ran.txt");
      if (!existsSync(path)) return [];
      const names = readFileSync(path, "utf8").trim().split("\n");
      return names.map((name) => inputs.get(name) ?? { name });
    },
    edit: () => leaves("edited"),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

describeAdapterContract("Claude", openSubject);
describeAdapterParking("Claude", openSubject);
describeAdapterAttach("Claude", openSubject);
