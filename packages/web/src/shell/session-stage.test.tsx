// @vitest-environment happy-dom
import { createMemoryDrafts } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { SessionStage } from "./session-stage.tsx";

afterEach(cleanup);

test("the header of a session has its place before the list of sessions loads, so that no card moves", () => {
  const transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview(),
    listAgents: () => Promise.resolve([]),
  };
  const { container } = render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <SessionStage
        sessionId="session-1"
        session={undefined}
        awaited={false}
        started={false}
        inboxToggle={null}
        conversation={{ current: null }}
        onConversation={() => undefined}
      />
    </HoldpointProvider>,
  );
  expect(container.querySelectorAll("header.head")).toHaveLength(1);
});
