// Measures the heap of pending interactions in a separate process. argv: "followed" or "alone".
import { serveCalls } from "../support/processes.ts";
import { measurePending } from "./measure-pending.ts";

const followed = process.argv[2] === "followed";
serveCalls({}, () => measurePending({ followed }));
