import { defineConfig } from "holdpoint";

import { collectEmail } from "./collect-email.ts";

export default defineConfig({ tools: [collectEmail] });
