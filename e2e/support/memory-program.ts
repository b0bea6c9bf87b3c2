// Opens and settles 10,000 interactions, then prints what is left of them as JSON. Run with --expose-gc.
import { measurePendingMemory } from "../../bench/pending-memory.ts";

const before = process.getActiveResourcesInfo().length;
const figures = await measurePendingMemory();
const left = process.getActiveResourcesInfo().length - before;
process.stdout.write(JSON.stringify({ ...figures, resourcesLeft: left }));
