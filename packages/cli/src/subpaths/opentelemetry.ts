export { createGatewayTelemetry } from "../telemetry/gateway-telemetry.ts";
export type { GatewayTelemetry, GatewayTelemetryOptions } from "../telemetry/gateway-telemetry.ts";
