export { createDirectTransport } from "./direct-transport.ts";
export type { DirectTransportOptions } from "./direct-transport.ts";
