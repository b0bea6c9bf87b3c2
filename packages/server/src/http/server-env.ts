import type { HttpBindings } from "@hono/node-server";

import type { Credential } from "../auth/authenticator.ts";

/** Hono's view of one request. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Set once the request is authenticated. */
    credential?: Credential;
  };
}
