export { createDirectTransport } from "./transports/direct/direct-transport.ts";
export type { DirectTransportOptions } from "./transports/direct/direct-transport.ts";
