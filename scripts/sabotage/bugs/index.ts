import type { Bug } from "../bug.ts";
import { ENGINE_BUGS } from "./engine-bugs.ts";
import { LIFE_BUGS } from "./life-bugs.ts";
import { STORE_BUGS } from "./store-bugs.ts";
import { STREAM_BUGS } from "./stream-bugs.ts";

export const BUGS: readonly Bug[] = [...STORE_BUGS, ...LIFE_BUGS, ...ENGINE_BUGS, ...STREAM_BUGS];
