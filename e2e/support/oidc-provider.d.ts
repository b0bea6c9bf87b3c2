declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** As far as the tests use it. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  }
}
