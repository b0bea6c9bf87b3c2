export { describeAdapterAttach } from "./adapter-attach-contract.ts";
export type { AttachSubject } from "./adapter-attach-contract.ts";
export { describeAdapterParking } from "./adapter-parking-contract.ts";
export { describeAdapterContract } from "./adapter-contract.ts";
export type {
  AdapterCapability,
  AdapterContractOptions,
  AdapterSubject,
  AgentBehaviour,
} from "./adapter-subject.ts";
export { assertWellFormedTurn } from "./assert-well-formed-turn.ts";
export { createRecordingTurn } from "./recording-turn.ts";
export type { HoldScript, RecordingTurn, ScriptedOutcome, TurnEntry } from "./recording-turn.ts";
export { describeStoreContract } from "./store-contract/store-contract.ts";
export type { StoreHarness } from "./store-contract/store-contract.ts";
export { creation, interactionRow, interactionWrite } from "./store-contract/store-fixtures.ts";
export { expectChained } from "./expect-chained.ts";
export { createScriptedAdapter } from "./scripted-adapter.ts";
export type { ScriptedAdapter, ScriptedSession, TurnScript } from "./scripted-adapter.ts";
export { createSequentialIds } from "./sequential-ids.ts";
export { aDeploy, openAskScene } from "./ask-scene.ts";
export type { AskScene, Program } from "./ask-scene.ts";
export { SimulatedClock } from "./simulated-clock.ts";
export { describeCredentialStoreContract } from "./credential-store-contract.ts";
export type { CredentialStoreHarness } from "./credential-store-contract.ts";
export { createSeededRandom } from "./seeded-random.ts";
