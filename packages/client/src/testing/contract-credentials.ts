import { describe, expect, test } from "vitest";

import { rejectionCodeOf, type Clients } from "./transport-harness.ts";

const USED = { createdAt: "2026-01-01T00:00:00.000Z", lastUsedAt: "2026-01-02T00:00:00.000Z" };

export function describeCredentials(connect: () => Promise<Clients>): void {
  describe("credentials", () => {
    test("[R-16] the person's devices are listed, and each is revoked once", async () => {
      const { one, other, harness } = await connect();
      expect(await one.listDevices()).toEqual({ items: [] });
      await harness.addCredential({ tokenId: "tok_phone", kind: "device", label: "Phone" });
      await harness.addCredential({ tokenId: "tok_codex", kind: "agent", label: "Codex" });
      expect(await one.listDevices()).toEqual({
        items: [{ deviceId: "tok_phone", label: "Phone", current: false, ...USED }],
      });
      expect(await other.revokeDevice("tok_phone")).toBeUndefined();
      expect(await one.listDevices()).toEqual({ items: [] });
      expect(await rejectionCodeOf(one.revokeDevice("tok_phone"))).toBe("NOT_FOUND");
    });

    test("[R-16] agents' tokens are listed, and each is revoked once", async () => {
      const { one, other, harness } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const codex = { tokenId: "tok_codex", label: "Codex", sessionId };
      await harness.addCredential({ ...codex, kind: "agent" });
      expect(await one.listAgentTokens()).toEqual({ items: [{ ...codex, ...USED }] });
      expect(await other.revokeAgentToken("tok_codex")).toBeUndefined();
      expect(await one.listAgentTokens()).toEqual({ items: [] });
      expect(await rejectionCodeOf(one.revokeAgentToken("tok_codex"))).toBe("NOT_FOUND");
    });

    test("[R-16] a device is not an agent's token, and another person's devices are not listed", async () => {
      const { one, harness } = await connect();
      const phone = { tokenId: "tok_phone", kind: "device", label: "Phone" } as const;
      await harness.addCredential(phone);
      await harness.addCredential({ ...phone, tokenId: "tok_bob", person: "Bob" });
      await harness.addCredential({ tokenId: "tok_codex", kind: "agent", label: "Codex" });
      expect(await rejectionCodeOf(one.revokeAgentToken("tok_phone"))).toBe("NOT_FOUND");
      for (const deviceId of ["tok_codex", "tok_bob"]) {
        expect(await rejectionCodeOf(one.revokeDevice(deviceId))).toBe("NOT_FOUND");
      }
      expect((await one.listDevices()).items).toMatchObject([{ deviceId: "tok_phone" }]);
    });
  });
}
