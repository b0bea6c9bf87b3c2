import {
  beginSignIn,
  createDeviceKey,
  createDeviceSigner,
  createHttpTransport,
  finishSignIn,
  type Transport,
} from "@holdpoint/client";

import { openTestIssuer, type TestIssuer } from "../../packages/server/src/testing/test-issuer.ts";

const ISSUER_ID = "bench";

/** People who sign in, since the limit of open interactions of one person is too low for a bench. */
export class People implements AsyncDisposable {
  readonly #issuer: TestIssuer;
  readonly #transports: Transport[] = [];

  private constructor(issuer: TestIssuer) {
    this.#issuer = issuer;
  }

  static async open(): Promise<People> {
    return new People(await openTestIssuer());
  }

  /** The part of every node's config that lets them in. */
  config(count: number): object {
    const admit = Array.from({ length: count }, (_, index) => ({
      subject: toSubject(index),
      role: "owner",
    }));
    const issuer = { id: ISSUER_ID, issuer: this.#issuer.url, clientId: "bench", admit };
    return { people: { issuers: [issuer] } };
  }

  /** Signs in one more person, with a device. */
  async signIn(baseUrl: string): Promise<Transport> {
    const key = await createDeviceKey();
    const { url, pending } = await beginSignIn({ baseUrl, issuerId: ISSUER_ID, key });
    const answer = this.#issuer.confirm(url, toSubject(this.#transports.length));
    const device = await finishSignIn({ baseUrl, issuerId: ISSUER_ID, answer, pending });
    const token = createDeviceSigner({ baseUrl, device });
    const transport = createHttpTransport({ baseUrl, token, clientId: device.tokenId });
    this.#transports.push(transport);
    return transport;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const transport of this.#transports) await transport[Symbol.asyncDispose]();
    await this.#issuer[Symbol.asyncDispose]();
  }
}

function toSubject(index: number): string {
  return `person-${index}`;
}
