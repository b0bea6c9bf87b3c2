import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import { text } from "node:stream/consumers";

interface Notice {
  readonly type: string;
  readonly data: { readonly title: string; readonly body: string; readonly url: string };
}

/** Forwards new requests to an ntfy topic. Refuses messages that are not signed with the secret. */
export function createBridge(ntfyUrl: string, topic: string, secret: string): Server {
  const answer = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request);
    if (!isSigned(request.headers, body, secret)) return 401;
    const { type, data } = JSON.parse(body) as Notice;
    const { title, body: message, url: click } = data;
    const isAsked = type === "interaction.pending";
    const sent =
      !isAsked || (await publish(ntfyUrl, { topic, title, message, click, tags: ["raised_hand"] }));
    // The gateway retries after a 503.
    return sent ? 204 : 503;
  };
  return createServer((request, response) => {
    void answer(request).then((status) => response.writeHead(status).end());
  });
}

async function publish(url: string, notification: object): Promise<boolean> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(notification) }).catch(
    () => undefined,
  );
  return answer?.ok ?? false;
}

/** Whether the message was signed with the secret within the last five minutes. */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const [id, at, signature] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const expected = createHmac("sha256", secret).update(`${id}.${at}.${body}`).digest("base64");
  const [given, wanted] = [Buffer.from(signature ?? ""), Buffer.from(`v1,${expected}`)];
  const isFresh = Math.abs(new Date().getTime() / 1000 - Number(at)) < 300;
  return isFresh && given.length === wanted.length && timingSafeEqual(given, wanted);
}
