/*
 * The frames that a gateway and an agent host exchange over their socket. Each frame is
 *
 *   length of the payload, 4 bytes big-endian │ kind, 1 byte │ payload
 *
 * The gateway's first frame is `attach`, whose token proves that it may attach. The first gateway then sends `start`.
 * The host answers with `attached` as soon as there is an agent; after that, both may send at any time. The bytes in
 * transit are limited: `taken` reports how many were read, so that frames like `signal` never wait behind unread bytes.
 */

/** A gateway attaches only to a host of its own version. Raise it with every change to a frame or to the record. */
export const HOST_VERSION = 1;

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface HeldTurn {
  readonly turnId?: string;
  /** For the next gateway, which reads it from the record. Must not contain secrets. */
  readonly note?: string;
}

/** The agent's state, sent to a gateway when it attaches. */
export interface AttachedState {
  readonly pid: number;
  /** A mark in the environment of all processes of the agent. */
  readonly mark: string;
  /** Unsettled messages that will be repeated, in order. */
  readonly replayedIds: readonly string[];
  /** The person's messages that were handed to the agent. */
  readonly givenMessageIds: readonly string[];
  /** The agent's requests whose responses were handed to it. */
  readonly answeredRequestIds: readonly string[];
}

/** An MCP server's address and its token. */
export interface ToolEndpoint {
  readonly url: string;
  readonly token: string;
}

export type ControlFrame =
  | { readonly type: "attach"; readonly version: number; readonly token: string }
  /** Starts the agent. Only the first one counts. */
  | ({ readonly type: "start" } & AgentCommand)
  /** The gateway ends the agent's input on purpose; a lost connection never does. */
  | { readonly type: "input_end" }
  | { readonly type: "signal"; readonly signal: NodeJS.Signals }
  /** SIGTERM, followed by SIGKILL if needed. */
  | { readonly type: "terminate" }
  /** The agent's current turn. Between turns there is nothing to hold: losing the gateway ends the agent. */
  | ({ readonly type: "turn" } & HeldTurn)
  /** This message and all before it are durable, and need not be repeated. */
  | { readonly type: "settle"; readonly messageId: string }
  /** Where the gateway serves its tools. */
  | ({ readonly type: "serve_tools" } & ToolEndpoint)
  /** The gateway leaves on purpose. The agent is frozen for the next one, as if the gateway were lost. */
  | { readonly type: "detach" }
  | { readonly type: "taken"; readonly byteCount: number }
  | ({ readonly type: "attached" } & AttachedState)
  /** Another gateway has attached. */
  | { readonly type: "replaced" }
  /** The host has another version. */
  | { readonly type: "refused"; readonly version: number }
  /** Where the host serves the gateway's tools to the agent. */
  | ({ readonly type: "tools_served" } & ToolEndpoint)
  | { readonly type: "failed"; readonly code?: string; readonly message: string }
  /** The last frame, after all output. */
  | ({ readonly type: "exited" } & AgentExit);

export type ByteFrame = {
  readonly type: "input" | "output" | "error_output";
  readonly bytes: Uint8Array;
};

export type HostFrame = ControlFrame | ByteFrame;

/** The setup that a host reads from its standard input. */
export interface HostStart extends HostSetup {
  /** The process that started the host. */
  readonly gatewayPid: number;
}

export interface HostSetup {
  readonly socketPath: string;
  /** A folder that was created for the socket alone. */
  readonly folder?: string;
  readonly token: string;
  /** Absent: losing the gateway ends the agent. */
  readonly hold?: HoldSetup;
}

/** How a host keeps its agent for the next gateway. The agent must write lines of JSON, as Claude does. */
export interface HoldSetup {
  readonly id: string;
  readonly sessionId: string;
  /** Where the host writes its record for the next gateway. The host ends when the file is gone. */
  readonly recordPath: string;
  /** How long the host waits for a gateway before it ends the agent. */
  readonly holdMs: number;
}

/** Limit on bytes of output in transit to the gateway; beyond it, the agent's output is paused. */
export const OUTPUT_WINDOW_BYTES = 1024 * 1024;
/** Longer input is split into pieces of this size. */
export const MAX_PIECE_BYTES = 256 * 1024;
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

const HEADER_BYTES = 5;
const CONTROL = 0;
const BYTE_KINDS = { input: 1, output: 2, error_output: 3 } as const;

export function encodeFrame(frame: HostFrame): Buffer {
  if ("bytes" in frame) return withHeader(BYTE_KINDS[frame.type], frame.bytes);
  return withHeader(CONTROL, Buffer.from(JSON.stringify(frame), "utf8"));
}

function withHeader(kind: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength);
  frame.writeUInt32BE(payload.byteLength, 0);
  frame.writeUInt8(kind, 4);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** Decodes frames from a stream of bytes that may be cut anywhere. */
export class FrameDecoder {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames completed by this chunk, in order. Throws for an invalid frame; the connection is then lost. */
  push(chunk: Buffer): HostFrame[] {
    this.#rest = this.#rest.byteLength === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: HostFrame[] = [];
    while (this.#rest.byteLength >= HEADER_BYTES) {
      const length = this.#rest.readUInt32BE(0);
      if (length > MAX_PAYLOAD_BYTES) throw new Error(`A frame of ${length} bytes is too long.`);
      if (this.#rest.byteLength < HEADER_BYTES + length) break;
      const payload = this.#rest.subarray(HEADER_BYTES, HEADER_BYTES + length);
      frames.push(toFrame(this.#rest.readUInt8(4), payload));
      this.#rest = this.#rest.subarray(HEADER_BYTES + length);
    }
    return frames;
  }
}

function toFrame(kind: number, payload: Buffer): HostFrame {
  switch (kind) {
    case CONTROL:
      return parseControl(payload.toString("utf8"));
    case BYTE_KINDS.input:
      return { type: "input", bytes: payload };
    case BYTE_KINDS.output:
      return { type: "output", bytes: payload };
    case BYTE_KINDS.error_output:
      return { type: "error_output", bytes: payload };
    default:
      throw new Error(`Unknown kind of frame: ${kind}.`);
  }
}

/**
 * Trusts the frame's fields, since both ends are of one build, and the token is checked before any other field is used.
 */
function parseControl(text: string): ControlFrame {
  const frame = JSON.parse(text) as ControlFrame | null;
  if (typeof frame !== "object" || frame === null || typeof frame.type !== "string") {
    throw new Error("The control frame has no type.");
  }
  return frame;
}
