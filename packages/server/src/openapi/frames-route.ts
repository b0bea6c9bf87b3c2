import { z } from "zod";

import { jsonAnswer } from "../http/json-answer.ts";
import { defineOpenRoute, type Route } from "../http/route.ts";
import { createFramesDocument } from "./frames-document.ts";

export function framesRoute(version: string): Route {
  let text: string | undefined;
  return defineOpenRoute({
    method: "GET",
    path: "/socket-frames.json",
    operationId: "getSocketFrames",
    summary: "The frames of the WebSocket",
    access: "anyone",
    answers: {
      200: jsonAnswer(
        "A JSON Schema with a definition for each frame.",
        z.looseObject({ $defs: z.looseObject({}) }),
      ),
    },
    handle: ({ c }) => {
      text ??= JSON.stringify(createFramesDocument(version));
      return c.body(text, 200, { "Content-Type": "application/json" });
    },
  });
}
