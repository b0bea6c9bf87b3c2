import type { Ask, AskBody, Caller, RespondBody, RespondResult } from "@holdpoint/protocol";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, type FixtureOptions, type GatewayFixture, openFixture } from "./gateway-fixture.ts";
import { createScriptedAdapter } from "./scripted-adapter.ts";

/** A gateway in which programs ask, each with its own token and session. */
export interface AskScene extends GatewayFixture {
  /** A new program, as the caller of its requests. */
  program(label: string): Promise<Program>;
  answer(ask: Ask, body: RespondBody): Promise<RespondResult>;
  /** The next gateway with this one's data; `isKilled`: this one cannot shut down first. */
  restart(options?: { readonly isKilled: boolean }): Promise<AskScene>;
}

export interface Program {
  readonly caller: Caller;
  readonly sessionId: string;
}

/** An ask for a yes or no. */
export function aDeploy(changes: Partial<AskBody> = {}): AskBody {
  return { kind: "approval", label: "deploy.sh", prompt: "Deploy 1.4.2?", ...changes } as AskBody;
}

export async function openAskScene(options: FixtureOptions = {}): Promise<AskScene> {
  const passive = createScriptedAdapter(async () => ({ reason: "done" }));
  const otherAgents = new Map([["mcp", Object.assign(passive, { isPassive: true as const })]]);
  const store = options.store ?? createMemoryStore();
  const fixture = await openFixture(async () => ({ reason: "done" }), {
    ...options,
    store,
    otherAgents,
  });
  const { gateway, clock, ids } = fixture;
  return {
    ...fixture,
    async program(label) {
      const { sessionId, tokenId } = await gateway.createAgentToken(ada, { label });
      const caller = { principal: "agent", person: "Ada", client: label, tokenId } as const;
      return { sessionId, caller: { ...caller, sessionId } };
    },
    async answer({ interactionId }, body) {
      const { approval } = await gateway.getInteraction(ada, interactionId);
      const digest = body.action === "approve" ? { digest: approval?.digest } : {};
      return gateway.respond(ada, interactionId, { ...digest, ...body });
    },
    async restart({ isKilled } = { isKilled: false }) {
      if (!isKilled) await gateway.close();
      return openAskScene({ ...options, store, clock, ids });
    },
  };
}
