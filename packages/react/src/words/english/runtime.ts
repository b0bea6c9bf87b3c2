/** Texts about an agent's runtime. */
export const RUNTIME_TEXTS = [
  "The model does not answer; trying again…",
  "{amount} tokens",
  "Read {read}, of it {cached} from the cache; wrote {written}.",
  "The cost is the agent’s own estimate, and no bill.",
  "Commands of the agent",
  "Files",
  "{count} suggestion|{count} suggestions",
] as const;
