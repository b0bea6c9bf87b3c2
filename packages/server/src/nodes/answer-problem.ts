import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { ProtocolError } from "@holdpoint/protocol";

import { problemHeaders, problemOf } from "../http/problem-response.ts";

export function noWorkingNode(): ProtocolError {
  return new ProtocolError(
    "NO_WORKING_NODE",
    "No node of the gateway is working at the moment. Another one takes over within seconds. Nothing was changed.",
  );
}

export function otherRelease(): ProtocolError {
  return new ProtocolError(
    "NO_WORKING_NODE",
    "The working node has another release and does not understand this node. Nothing was changed. Install the same release on all nodes.",
  );
}

export function answerProblem(outgoing: ServerResponse, error: ProtocolError): void {
  const problem = problemOf(error);
  outgoing.writeHead(problem.status, problemHeaders(problem));
  outgoing.end(JSON.stringify(problem));
}

/** Answers a WebSocket upgrade with a problem. */
export function answerUpgradeProblem(stream: Duplex, error: ProtocolError): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(problem),
    Connection: "close",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n${body}`);
}
