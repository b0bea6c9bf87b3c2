import { defineConfig } from "holdpoint";

import { planRelease } from "./plan-release.ts";

export default defineConfig({ tools: [planRelease] });
