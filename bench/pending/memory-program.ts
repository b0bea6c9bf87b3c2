// Opens and settles 10,000 interactions, then prints the remaining resources as JSON. Run with --expose-gc.
import { measurePending } from "./measure-pending.ts";

const before = process.getActiveResourcesInfo().length;
const figures = await measurePending({ followed: false });
const left = process.getActiveResourcesInfo().length - before;
process.stdout.write(JSON.stringify({ ...figures, resourcesLeft: left }));
