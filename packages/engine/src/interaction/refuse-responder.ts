import {
  type Caller,
  type Interaction,
  type ProtocolError,
  refusal,
  refusalOfResponder,
  type ResponderRefusal,
  type ResponseAction,
  type Saying,
  saying,
} from "@holdpoint/protocol";

/** Throws `NOT_RESPONDER` unless the interaction's responders let the caller give this answer. */
export function assertMayRespond(
  interaction: Interaction,
  caller: Caller,
  said: { readonly at: string; readonly action: ResponseAction },
): void {
  const reason = refusalOfResponder(interaction, caller, said);
  if (reason) throw notResponder(interaction, reason);
}

export function notResponder(
  { responders }: Pick<Interaction, "responders">,
  reason: ResponderRefusal,
): ProtocolError {
  return refusal("NOT_RESPONDER", toSaying(reason, responders?.blocked));
}

function toSaying(
  reason: ResponderRefusal,
  blocked: NonNullable<Interaction["responders"]>["blocked"] = "too_few",
): Saying {
  return reason === "blocked" ? saying(`block_${blocked}`) : saying(`responder_${reason}`);
}
