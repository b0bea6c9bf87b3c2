import type { Clock } from "@holdpoint/engine";
import { groupsAt, type InteractionKind, type NotifyAbout, urlAt } from "@holdpoint/protocol";

import { type Target, toSendResult } from "../deliveries/target.ts";
import { isNotLinkLocal } from "../lib/address-rules.ts";
import type { Poster } from "../lib/post.ts";
import type { Message } from "../message.ts";
import { signWebhook } from "./sign-webhook.ts";

/** What the person has written into the own config file. */
export interface WebhookOptions {
  readonly url: string;
  /** What messages are signed with. */
  readonly secret: string;
  /** Default: all. */
  readonly about?: NotifyAbout | undefined;
  /** Only what names one of these groups as who can answer now, at whichever issuer. Default: everything. */
  readonly groups?: readonly string[] | undefined;
}

interface WebhookParts {
  readonly clock: Pick<Clock, "now">;
  readonly poster: Poster;
  /** Where people reach the page; the beginning of each link. */
  readonly pageUrl: () => string;
  /** Of the trace that an interaction belongs to; absent where nobody traces. */
  readonly traceparentOf?: ((interactionId: string) => Promise<string | undefined>) | undefined;
}

const EVENTS: Readonly<Record<Message["step"], string>> = {
  tell: "interaction.pending",
  repeat: "interaction.still_pending",
  close: "interaction.settled",
  test: "test",
};

/** A program of the person's that is told by signed requests. It sees no more than a notification shows. */
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
      // A message about many has the tag of none.
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
