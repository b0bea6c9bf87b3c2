import type { CodeToken } from "@holdpoint/react";

import { tokenize } from "./tokenize.ts";

export interface CodeRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

export interface CodeAnswer {
  readonly id: number;
  readonly tokens: readonly CodeToken[] | undefined;
}

addEventListener("message", ({ data }: MessageEvent<CodeRequest>) => {
  const { id, code, language } = data;
  const answer = (tokens: CodeAnswer["tokens"]): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page, and no origins
    postMessage({ id, tokens } satisfies CodeAnswer);
  };
  tokenize(code, language).then(answer, () => answer(undefined));
});
