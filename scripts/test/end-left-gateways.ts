// Runs after each file of tests that start processes, last of all.
import { afterAll } from "vitest";

import { endLeftGateways } from "../../e2e/support/gateway-process.ts";

afterAll(endLeftGateways);
