import type { Interaction, ServerFrame } from "holdpoint/protocol";

/**
 * Reports each new pending interaction, and the oldest that were pending before, each once, until the caller closes
 * the socket or the connection ends.
 */
export function watchInbox(
  baseUrl: string,
  token: string,
  tell: (prompt: string) => void,
): WebSocket {
  const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/api/ws`);
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  const told = new Set<string>();
  const look = ({ interactionId, status, prompt, toolName }: Interaction): void => {
    if (status !== "pending" || told.has(interactionId)) return;
    told.add(interactionId);
    tell(prompt ?? toolName);
  };
  socket.addEventListener("open", () => {
    // This program does not answer, so agents do not count it as a client that can.
    const interaction = { supported: false, enabled: false };
    send({ type: "hello", token, clientId: "doorbell", interaction });
    send({ type: "subscribe_overview" });
  });
  socket.addEventListener("message", ({ data }) => {
    const said = JSON.parse(String(data)) as ServerFrame;
    if (said.type !== "overview_frame") return;
    if (said.frame.type === "snapshot") said.frame.pending.items.forEach(look);
    if (said.frame.type === "interaction_changed") look(said.frame.interaction);
  });
  return socket;
}
