import { describeAdapterAttach, type AttachSubject } from "./adapter-attach-contract.ts";
import { describeAdapterParking } from "./adapter-parking-contract.ts";
import { approval, never, question, say } from "./gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "./scripted-adapter.ts";
import type { Transcript } from "./scripted-parking.ts";

async function createSubject(): Promise<AttachSubject> {
  const ran: Record<string, unknown>[] = [];
  const heard: string[] = [];
  const transcripts = new Map<string, Transcript>();
  const script: TurnScript = async ({ content }, context) => {
    const ask = async (id: string): Promise<void> => {
      const request = content === "ask_question" ? question(id) : approval(id);
      const held = await context.hold(request, { signal: never });
      if (held.outcome !== "answered") return;
      await held.delivered();
      const { action, reason, reply } = held.response;
      if (action === "approve" && held.input) ran.push(held.input);
      heard.push(reason ?? reply ?? action);
    };
    const ids = content === "run_three_tools" ? ["t1", "t2", "t3"] : ["t1"];
    await Promise.race([
      Promise.all(ids.map(ask)),
      new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true })),
    ]);
    if (context.signal.aborted) return { reason: "stopped" };
    await say(context, "said", "Done.");
    return { reason: "done" };
  };
  return {
    adapter: createScriptedAdapter(script, { canPark: true, transcripts }),
    cwd: "/work",
    prompt: (behaviour) => behaviour,
    heard: () => heard,
    ranWith: () => ran,
    edit: (input) => input,
    async restart() {
      const next = createScriptedAdapter(script, { canPark: true, transcripts });
      next.hasHosts = true;
      return next;
    },
    async [Symbol.asyncDispose]() {},
  };
}

describeAdapterParking("the scripted agent", createSubject);
describeAdapterAttach("the scripted agent", createSubject);
