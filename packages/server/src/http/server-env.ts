import type { HttpBindings } from "@hono/node-server";

import type { Credential } from "../auth/credential.ts";

/** The types of Hono's context for one request. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    credential?: Credential;
  };
}
