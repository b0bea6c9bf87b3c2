// Measures what parked sessions cost in a process of its own.
import { serveCalls } from "../support/processes.ts";
import { measureParkedSessions } from "./measure-parked.ts";

serveCalls({}, () => measureParkedSessions());
