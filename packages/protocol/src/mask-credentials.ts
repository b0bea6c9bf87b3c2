const MASK = "•••";

/** Names of values that are secrets, as they stand in commands and addresses. */
const SECRET_NAME = String.raw`[\w-]*(?:api[_-]?key|access[_-]?key|private[_-]?key|_key|(?:\b|_|ssh)pass|passw|pwd|secret|token|credential|auth|\botp)[\w-]*`;
/** In quotes, which a text that was cut does not close, or up to the next space, or both in a row. */
const VALUE = String.raw`(?:\\"[\s\S]*?(?:\\"|$)|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\\.|[^\s"'&;|\\])+`;
/** What stands between a command and an option of it. */
const BETWEEN = String.raw`[^|;&]*?\s`;

const RULES: readonly (readonly [RegExp, string])[] = [
  // Headers: up to the end of their quotes.
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*:\s*)[^"'\r\n]+/giu, `$1$2${MASK}`],
  [/\b(bearer|basic)\s+[^\s"']+/giu, `$1 ${MASK}`],
  // TOKEN=abc, --password=abc, ?api_key=abc, "token": "abc"
  [rule(String.raw`(\b${SECRET_NAME}\\?["']?\s*[=:]\s*)${VALUE}`), `$1${MASK}`],
  // --password abc
  [rule(String.raw`((?<![\w-])--?${SECRET_NAME}\s+)(?!-)${VALUE}`), `$1${MASK}`],
  // npm config set _authToken abc, gh secret set NAME --body abc
  [rule(String.raw`(\bset\s+${SECRET_NAME}\s+)(?!-)${VALUE}`), `$1${MASK}`],
  [rule(String.raw`(\bsecrets?\s${BETWEEN}(?:--body|-b|--value)[=\s]+)${VALUE}`), `$1${MASK}`],
  [/([?&](?:x-amz-)?sig(?:nature)?=)[^\s"'&]+/giu, `$1${MASK}`],
  [/(:\/\/)[^\s/"']*@/gu, `$1${MASK}@`],
  [/(\bpass:)[^\s"']+/gu, `$1${MASK}`],
  // curl -u name:password
  [
    /(\s(?:-u|-U|--user|--proxy-user)[\s=]*)(?:"[^"]*:[^"]*"|'[^']*:[^']*'|[^\s:"']+:\S+)/gu,
    `$1${MASK}`,
  ],
  [rule(String.raw`(\b(?:mysql\w*|mariadb\w*)${BETWEEN}-p)${VALUE}`), `$1${MASK}`],
  [rule(String.raw`(\b(?:sshpass|login)${BETWEEN}-p\s*)${VALUE}`), `$1${MASK}`],
  [rule(String.raw`(\bredis-cli${BETWEEN}-a\s*)${VALUE}`), `$1${MASK}`],
  // echo abc | docker login --password-stdin
  [/(\b(?:echo|printf)\s)[^|]*(?=\|[^|]*(?:-stdin|\s-S\b|passwd\b))/gu, `$1${MASK} `],
  // Tokens that show what they are by their beginning.
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghr|ghu|glpat|xox[a-z]|npm|pypi|hf|hvs|SG)[-_.][\w.-]{16,}/gu, MASK],
  [/\b(?:AKIA|ASIA|AIza)[\w-]{16,}/gu, MASK],
  [/\bAGE-SECRET-KEY-\w+/gu, MASK],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/gu, MASK],
  [/-----BEGIN[^-]*-----[\s\S]*/gu, MASK],
  // Long and random: letters and digits mixed. 40 hexadecimal digits are a commit.
  [/\b(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{32,}={0,2}/gu, MASK],
  [/\b(?![\da-f]{40}\b)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{32,}\b/gu, MASK],
];

/**
 * The text without what looks like a credential. It cannot know all of them: it is for one line on a locked screen, where
 * the whole is a tap away.
 */
export function maskCredentials(text: string): string {
  return RULES.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);
}

function rule(pattern: string): RegExp {
  return new RegExp(pattern, "giu");
}
