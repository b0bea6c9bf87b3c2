// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { FolderTrust } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { FolderPage } from "./folder-page.tsx";

afterEach(cleanup);

function open(folder: Partial<FolderTrust>): void {
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview(),
    getFolderTrust: async () => ({
      path: "/p",
      loaded: true,
      watched: false,
      needsStart: [],
      failed: [],
      ...folder,
    }),
  };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <FolderPage inboxToggle={null} />
    </HoldpointProvider>,
  );
}

test("files that could not be loaded are named with their errors, and not everything is called loaded", async () => {
  open({ failed: [{ source: "tools/ours.ts", error: "no \u202edisk" }] });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("These files could not be loaded.");
  expect(alert.textContent).toContain("tools/ours.ts");
  expect(alert.querySelectorAll(".hp-mark")).toHaveLength(1);
  expect(screen.queryByText(/^Everything in this directory/u)).toBeNull();
});

test("[R-6] after a restart the page names all changes since the yes, and nothing counts as loaded", async () => {
  const file = { path: "/p/tools/a.ts", role: "tool", text: "run();" } as const;
  open({
    loaded: false,
    offer: {
      hash: "0".repeat(64),
      files: [
        { ...file, name: "tools/a.ts", change: "same" },
        {
          ...file,
          path: "/p/tools/b.ts",
          name: "tools/b.ts",
          change: "changed",
          difference: "@@ line 1 @@\n- old\n+ new",
        },
      ],
      removed: ["tools/c.ts"],
      packages: [],
      settings: [],
    },
  });
  await screen.findByText(/^Files have changed since you trusted them\. None is loaded/u);
  expect(screen.getByText("Unchanged")).toBeTruthy();
  expect(screen.getByText("What has changed (3 lines)")).toBeTruthy();
  expect(document.body.textContent).toContain("Deleted files: tools/c.ts");
});
