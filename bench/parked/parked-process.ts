// Measures the cost of parked sessions in a separate process.
import { serveCalls } from "../support/processes.ts";
import { measureParkedSessions } from "./measure-parked.ts";

serveCalls({}, () => measureParkedSessions());
