/**
 * Words that texts for people may not use, with the word of ARCHITECTURE.md to use instead. The page uses plain
 * nouns, and never reports a possible event as a fact.
 */
export const NOT_THE_WORD: readonly { readonly instead: RegExp; readonly word: string }[] = [
  { instead: /\b(?:nobody|nothing|something|what|things?) waits?\b/iu, word: "pending request" },
  { instead: /\bhurry\b/iu, word: "no deadline" },
  { instead: /\bchats?\b|\bthreads?\b/iu, word: "session, or conversation" },
  { instead: /\bmachines?\b.*\bclient\b/iu, word: "device" },
  { instead: /\bbots?\b|\bassistants?\b|\bAI\b/u, word: "agent" },
  { instead: /\bprompts? you\b|\binterrupts?\b/iu, word: "asks" },
  { instead: /\bpermissions? granted\b|\bwhitelist|\ballowlist/iu, word: "grant" },
  { instead: /\busers?\b/iu, word: "person" },
  { instead: /\bserver cannot be reached\b/iu, word: "gateway" },
  { instead: /\bplease\b|\bsorry\b|\boops\b/iu, word: "nothing: say what happened" },
  { instead: /\.\./u, word: "one full stop, or …" },
];
