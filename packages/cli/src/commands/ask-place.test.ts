import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ClientError } from "@holdpoint/client";
import { type ErrorCode, ProtocolError } from "@holdpoint/protocol";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { type ControlRequest, readMessage } from "../control/control-message.ts";
import { controlPath } from "../control/control-path.ts";
import { openControl } from "../control/open-control.ts";
import { UsageError } from "../usage-error.ts";
import { openAskPlace } from "./ask-place.ts";
import { toExitCode } from "./run-ask.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ask-place-"));
});
afterAll(() => rm(dataDir, { recursive: true }));

/** The first ask of a data folder, which needs a token. Resolves to its error. */
async function failureOfFirstAsk(): Promise<unknown> {
  const body = { kind: "approval", label: "deploy.sh", prompt: "Deploy?" } as const;
  return openAskPlace({ "data-dir": dataDir }, {})
    .createAsk(body)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

test("[R-5] a gateway that ends between giving its address and its token counts as missing", async () => {
  const server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
    const answer = async (): Promise<void> => {
      const { command } = (await readMessage(socket)) as ControlRequest;
      if (command === "url") socket.end(JSON.stringify({ url: "http://127.0.0.1:9" }));
      else socket.destroy();
    };
    void answer();
  });
  onTestFinished(() => void server.close());
  server.listen(controlPath(dataDir));
  await once(server, "listening");
  const failure = await failureOfFirstAsk();
  expect(ClientError.isInstance(failure)).toBe(true);
  expect(toExitCode(failure)).toBe(4);
});

test.each<[ErrorCode, number]>([
  ["DRAINING", 4],
  ["STORE_UNAVAILABLE", 4],
  ["RATE_LIMITED", 2],
])(
  "a gateway that gives no token because of %s reports it, with exit code %d",
  async (code, exit) => {
    const refuse = (): never => {
      throw new ProtocolError(code, "Not now.");
    };
    const control = await openControl({
      dataDir,
      url: "http://127.0.0.1:9",
      issueAgentToken: async () => refuse(),
      showLink: refuse,
      showPairing: refuse,
      readStatus: refuse,
      prune: refuse,
    });
    onTestFinished(() => control[Symbol.asyncDispose]());
    const failure = await failureOfFirstAsk();
    expect(failure).toMatchObject({ code, message: "Not now." });
    expect(toExitCode(failure)).toBe(exit);
  },
);

test("a failure that would repeat, such as a wrong flag or an unknown token, is exit code 2", () => {
  expect(toExitCode(new UsageError("No."))).toBe(2);
  expect(toExitCode(new ProtocolError("UNAUTHENTICATED", "No."))).toBe(2);
  expect(toExitCode(new ProtocolError("TOO_MANY_PENDING", "No."))).toBe(2);
});
