import { grantListSchema, listQuerySchema } from "@holdpoint/protocol";
import { z } from "zod";

import { defineRoute, type Route } from "../http/route.ts";
import type { ServerContext } from "../server-context.ts";
import { jsonAnswer } from "./answers.ts";
import { idParameter } from "./parameters.ts";

export function grantRoutes({ gateway }: ServerContext): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/grants",
      operationId: "listGrants",
      summary: "Remembered approvals that hold now, newest first",
      query: listQuerySchema,
      answers: { 200: jsonAnswer("A page of them.", grantListSchema) },
      handle: async ({ c, caller, query }) => c.json(await gateway.listGrants(caller, query), 200),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/grants/{grantId}",
      operationId: "revokeGrant",
      summary: "Revoke a remembered approval; from then on it is asked again",
      params: z.object({ grantId: idParameter }),
      answers: { 204: { description: "Revoked." } },
      problems: ["NOT_FOUND"],
      handle: async ({ c, caller, params }) => {
        await gateway.revokeGrant(caller, params.grantId);
        return c.body(null, 204);
      },
    }),
  ];
}
