export { describeTransportContract } from "@holdpoint/client/testing";
export type { HarnessCredential, TransportHarness } from "@holdpoint/client/testing";
export {
  createRecordingTurn,
  createSequentialIds,
  describeAdapterAttach,
  describeAdapterContract,
  describeAdapterParking,
  describeCredentialStoreContract,
  describeStoreContract,
} from "@holdpoint/engine/testing";
export type {
  AdapterCapability,
  AdapterContractOptions,
  AdapterSubject,
  AgentBehaviour,
  AttachSubject,
  CredentialStoreHarness,
  HoldScript,
  RecordingTurn,
  ScriptedOutcome,
  StoreHarness,
  TurnEntry,
} from "@holdpoint/engine/testing";
