import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** Calls `onOver` with each finished ask, possibly twice. Rejects requests that are unsigned or over five minutes old. */
export function receiveAsks(secret: string, onOver: (askId: string) => void): Server {
  return createServer((request, response) => {
    void text(request).then((body) => {
      const {
        "webhook-id": id,
        "webhook-timestamp": at,
        "webhook-signature": given,
      } = request.headers;
      const signature = createHmac("sha256", secret).update(`${String(id)}.${String(at)}.${body}`);
      const wanted = Buffer.from(`v1,${signature.digest("base64")}`);
      const sent = Buffer.from(String(given));
      const isFresh = Math.abs(new Date().getTime() / 1000 - Number(at)) < 300;
      const isOurs = isFresh && sent.length === wanted.length && timingSafeEqual(sent, wanted);
      if (!isOurs) return response.writeHead(401).end();
      onOver((JSON.parse(body) as { data: { interactionId: string } }).data.interactionId);
      return response.writeHead(204).end();
    });
  });
}
