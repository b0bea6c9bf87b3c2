/** What outlives the demo agent: only that edits were allowed, so that it can say it forgot. Never the permission. */
export interface DemoState {
  readonly hadGrant: boolean;
}

export function serializeState(state: DemoState): string {
  return JSON.stringify(state);
}

/** Anything that is no state of ours counts as none. */
export function readState(text: string | undefined): DemoState {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    const isState = typeof value === "object" && value !== null && "hadGrant" in value;
    return { hadGrant: isState && value.hadGrant === true };
  } catch {
    return { hadGrant: false }; // not JSON
  }
}
