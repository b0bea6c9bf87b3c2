import { createDeviceSigner, createHttpTransport, type Transport } from "@holdpoint/client";

import { signInDevice } from "../../e2e/support/api-device.ts";
import { until } from "../../e2e/support/api.ts";

/** Signs in a person's device with the last launch link in a gateway's output. */
export async function signInWith(printed: () => Promise<string>): Promise<Transport> {
  const find = async (): Promise<string | undefined> =>
    (await printed()).match(/http\S+#code=\S+/gu)?.at(-1);
  const link = await until(find, "a launch link");
  const baseUrl = new URL(link).origin;
  const device = await signInDevice(link);
  const token = createDeviceSigner({ baseUrl, device });
  return createHttpTransport({ baseUrl, token, clientId: "person" });
}

/** An approval that a program requested. */
export interface Asked {
  readonly interactionId: string;
  /** Approves as the person, exactly once. Throws when the program does not get that answer. */
  allow(person: Transport): Promise<void>;
}

/** Asks as a program of the person. */
export async function ask(person: Transport, baseUrl: string): Promise<Asked> {
  const { token } = await person.createAgentToken({ label: "Deployment" });
  const program = createHttpTransport({ baseUrl, token, clientId: "program" });
  const body = { kind: "approval", label: "deploy.sh", prompt: "Deploy 1.4.2?" } as const;
  const { interactionId } = await program.createAsk(body);
  return {
    interactionId,
    async allow(answering) {
      const { status, approval } = await answering.getInteraction(interactionId);
      if (status !== "pending") throw new Error(`What was asked is ${status}, and not pending.`);
      const yes = { action: "approve", digest: approval?.digest ?? "" } as const;
      const results = await Promise.all(
        [yes, yes].map((each) => answering.respond(interactionId, each)),
      );
      const accepted = results.filter((result) => result.status === "accepted");
      if (accepted.length !== 1) throw new Error(`${accepted.length} of two answers were taken.`);
      const { response } = await program.getAsk(interactionId);
      await program[Symbol.asyncDispose]();
      if (response?.action !== "approve") throw new Error("The program did not get the answer.");
    },
  };
}
