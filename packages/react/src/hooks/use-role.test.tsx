// @vitest-environment happy-dom
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useOwnPerson } from "./use-own-person.ts";
import { useKnownRole, useRole } from "./use-role.ts";

afterEach(cleanup);

test("a device without a person is the owner once the gateway has confirmed that, and a person has the named role", async () => {
  const { result, overview } = renderInProvider(
    () => ({ known: useKnownRole(), role: useRole(), person: useOwnPerson() }),
    undefined,
  );
  expect(result.current).toEqual({ known: undefined, role: "owner", person: undefined });
  await vi.waitFor(() => expect(result.current.known).toBe("owner"));
  const ada = { person: "Ada Byron", personId: "per_ada", role: "viewer" } as const;
  act(() => overview.show({ type: "person", ...ada }));
  await vi.waitFor(() => expect(result.current.known).toBe("viewer"));
  expect(result.current).toEqual({ known: "viewer", role: "viewer", person: ada });
});
