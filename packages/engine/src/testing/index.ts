export { createMemoryStore } from "./memory-store.ts";
export { describeAdapterContract } from "./adapter-contract.ts";
export type {
  AdapterCapability,
  AdapterContractOptions,
  AdapterSubject,
  AgentBehaviour,
} from "./adapter-contract.ts";
export { assertWellFormedTurn } from "./assert-well-formed-turn.ts";
export { createRecordingTurn } from "./recording-turn.ts";
export type { HoldScript, RecordingTurn, ScriptedOutcome, TurnEntry } from "./recording-turn.ts";
export { describeStoreContract } from "./store-contract.ts";
export type { StoreHarness } from "./store-contract.ts";
