import {
  clientFrameSchema,
  eventSchema,
  helloFrameSchema,
  interactionSchema,
  problemSchema,
  PROTOCOL_VERSION,
  serverFrameSchema,
  sessionSchema,
} from "@holdpoint/protocol";
import { z } from "zod";

type Json = Record<string, unknown>;

const NAMED = {
  HelloFrame: helloFrameSchema,
  ClientFrame: clientFrameSchema,
  ServerFrame: serverFrameSchema,
  Interaction: interactionSchema,
  Problem: problemSchema,
  Session: sessionSchema,
  SessionEvent: eventSchema,
} as const satisfies Record<string, z.ZodType>;

/** Creates the JSON Schema of the WebSocket frames. */
export function createFramesDocument(version: string): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: (id) => `#/$defs/${id}` });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Frames of Holdpoint's WebSocket at /api/ws",
    description: `Of Holdpoint ${version}, protocol ${PROTOCOL_VERSION}. The first frame of a client is a HelloFrame, every other one a ClientFrame. The gateway sends ServerFrames. The value of a result is the body of the answer that /openapi.json has for the operation of the same name.`,
    anyOf: ["HelloFrame", "ClientFrame", "ServerFrame"].map((id) => ({ $ref: `#/$defs/${id}` })),
    $defs: Object.fromEntries(
      Object.entries(schemas).map(([id, { $schema: _dialect, $id: _location, ...schema }]) => [
        id,
        schema,
      ]),
    ),
  };
}
