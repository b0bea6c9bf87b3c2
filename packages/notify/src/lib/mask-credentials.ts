const MASK = "•••";

/** Names of values that are secrets, as they stand in commands and addresses. */
const SECRET_NAME = String.raw`[\w-]*(?:api[_-]?key|access[_-]?key|private[_-]?key|passphrase|passwd|password|pwd|secret|token|credential|auth)[\w-]*`;
/** A value: in quotes, or up to the next space. */
const VALUE = String.raw`(?:"[^"]*"|'[^']*'|[^\s"'&;|]+)`;

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[^\s"']+/giu, `$1 ${MASK}`],
  // TOKEN=abc, --password=abc, ?api_key=abc, "token": "abc"
  [new RegExp(String.raw`(\b${SECRET_NAME}["']?\s*[=:]\s*)${VALUE}`, "giu"), `$1${MASK}`],
  // --password abc
  [new RegExp(String.raw`(--?${SECRET_NAME}\s+)(?!-)${VALUE}`, "giu"), `$1${MASK}`],
  [/(:\/\/)[^\s/@]+@/gu, `$1${MASK}@`],
  // curl -u name:password
  [/(\s-u\s*)[^\s:]+:\S+/gu, `$1${MASK}`],
  // Tokens that show what they are by their beginning.
  [
    /\b(?:sk|pk|rk|ghp|gho|ghs|ghr|ghu|glpat|xox[a-z]|npm|pypi|hf|AKIA|ASIA|AIza)[-_]?[\w-]{16,}/gu,
    MASK,
  ],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/gu, MASK],
  [/-----BEGIN[^-]*-----[\s\S]*/gu, MASK],
  // Long and random: letters and digits mixed.
  [/\b(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{32,}={0,2}/gu, MASK],
];

/**
 * The text without what looks like a credential. It cannot know all of them: it is for one line on a locked screen, where
 * the whole is a tap away.
 */
export function maskCredentials(text: string): string {
  return RULES.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);
}
