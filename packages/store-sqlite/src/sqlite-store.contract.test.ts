import { describeStoreContract } from "@holdpoint/engine/testing";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

describeStoreContract("openSqliteStore", {
  open: () => openSqliteStore({ dataDir: createTemporaryDir() }),
});
