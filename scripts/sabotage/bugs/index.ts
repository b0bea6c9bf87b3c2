import type { Bug } from "../bug.ts";
import { AGENT_BUGS } from "./agent-bugs.ts";
import { ASK_BUGS } from "./ask-bugs.ts";
import { ENGINE_BUGS } from "./engine-bugs.ts";
import { LIFE_BUGS } from "./life-bugs.ts";
import { PAGE_BUGS } from "./page-bugs.ts";
import { PARKING_BUGS } from "./parking-bugs.ts";
import { POSTGRES_BUGS } from "./postgres-bugs.ts";
import { RESPONDER_BUGS } from "./responder-bugs.ts";
import { RESPONSE_BUGS } from "./response-bugs.ts";
import { STORE_BUGS } from "./store-bugs.ts";
import { STREAM_BUGS } from "./stream-bugs.ts";

export const BUGS: readonly Bug[] = [
  ...PARKING_BUGS,
  ...AGENT_BUGS,
  ...PAGE_BUGS,
  ...LIFE_BUGS,
  ...RESPONDER_BUGS,
  ...RESPONSE_BUGS,
  ...ENGINE_BUGS,
  ...STREAM_BUGS,
  ...STORE_BUGS,
  ...POSTGRES_BUGS,
  ...ASK_BUGS,
];
