import type { Clock } from "@holdpoint/engine";
import { groupsAt, type InteractionKind, type NotifyAbout, urlAt } from "@holdpoint/protocol";

import { type Target, toSendResult } from "../deliveries/target.ts";
import { isNotLinkLocal } from "../lib/address-rules.ts";
import type { Poster } from "../lib/post.ts";
import type { Message } from "../message.ts";
import { signWebhook } from "./sign-webhook.ts";

/** A webhook from the person's config file. */
export interface WebhookOptions {
  readonly url: string;
  /** The secret that signs messages. */
  readonly secret: string;
  /** Default: all. */
  readonly about?: NotifyAbout | undefined;
  /** Only notify of requests that one of these groups can answer now, regardless of issuer. Default: all requests. */
  readonly groups?: readonly string[] | undefined;
}

interface WebhookParts {
  readonly clock: Pick<Clock, "now">;
  readonly poster: Poster;
  /** Returns the page's address, the base of all links. */
  readonly pageUrl: () => string;
  /** Returns the `traceparent` of an interaction. Absent: without tracing. */
  readonly traceparentOf?: ((interactionId: string) => Promise<string | undefined>) | undefined;
}

const EVENTS: Readonly<Record<Message["step"], string>> = {
  tell: "interaction.pending",
  repeat: "interaction.still_pending",
  close: "interaction.settled",
  test: "test",
};

/** Creates the target for a program that receives signed requests, with the content of a notification only. */
export function createWebhookTarget(
  parts: WebhookParts,
  { url: address, secret, about = "all", groups }: WebhookOptions,
): Target {
  const url = new URL(address);
  return {
    targetId: `webhook ${url.href}`,
    sinceMs: 0,
    repeats: false,
    wants: (kind: InteractionKind) =>
      about === "all" || (about === "approvals" && kind === "approval"),
    ...(groups && {
      mayAnswer: (asked) =>
        groupsAt(asked, parts.clock.now()).some((group) => groups.includes(group)),
    }),
    quietUntil: () => undefined,
    isLooking: () => false,
    async send(message, { messageId, signal }) {
      const body = Buffer.from(JSON.stringify(toPayload(message, parts)));
      const signed = signWebhook({ id: messageId, atMs: parts.clock.now(), body }, secret);
      // The tag of a summary is not an interaction id, so it has no trace.
      const traceparent = await parts.traceparentOf?.(message.tag).catch(() => undefined);
      const headers = {
        "content-type": "application/json",
        ...signed,
        ...(traceparent !== undefined && { traceparent }),
      };
      const mayConnect = isNotLinkLocal;
      return toSendResult(await parts.poster.post({ url, headers, body, mayConnect, signal }), url);
    },
  };
}

function toPayload(
  { step, tag, title, body, path, asked }: Message,
  { clock, pageUrl }: WebhookParts,
): object {
  return {
    type: EVENTS[step],
    timestamp: new Date(clock.now()).toISOString(),
    data: { tag, title, body, url: urlAt(pageUrl(), path), ...asked },
  };
}
