export { createLinkedGateway } from "./linked-gateway.ts";
export { createLinkedOverview, type LinkedOverview } from "./linked-overview.ts";
export type { LinkedGateway } from "./linked-gateway.ts";
export { createSimulatedClock } from "./simulated-clock.ts";
export type { SimulatedClock } from "./simulated-clock.ts";
export { describeTransportContract } from "./transport-contract.ts";
export type { HarnessCredential, TransportHarness } from "./transport-harness.ts";
