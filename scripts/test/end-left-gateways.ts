// Runs last, after each test file that starts processes.
import { afterAll } from "vitest";

import { endLeftGateways } from "../../e2e/support/gateway-process.ts";

afterAll(endLeftGateways);
