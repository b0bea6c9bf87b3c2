const MASK = "•••";

/** Names of secret values, as they occur in commands and addresses. */
const SECRET_NAME = String.raw`[\w-]*(?:api[_-]?key|access[_-]?key|private[_-]?key|_key|(?:\b|_|ssh)pass|passw|pwd|secret|token|credential|auth|\botp)[\w-]*`;
/** A quoted value, whose closing quote may be cut off, or one up to the next space, or a sequence of both. */
const VALUE = String.raw`(?:\\"[\s\S]*?(?:\\"|$)|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\\.|[^\s"'&;|\\])+`;
/** The text between a command and one of its options. */
const BETWEEN = String.raw`[^|;&]*?\s`;

/** Programs with special options or words before a password. Case-sensitive. */
const PROGRAMS: readonly (readonly [programs: string, before: string])[] = [
  ["ssh-keygen", "-(?:N|P)"],
  ["zip|unzip|zipcloak|zipnote", "-P"],
  [String.raw`7z[ar]?|7zz|u?n?rar|rar`, "-h?p"],
  ["openssl", "-[kK]"],
  ["ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)", "-w"],
  ["sqlcmd|bcp|isql|osql|tsql|fisql", "-P"],
  [String.raw`mosquitto_\w+|ipmitool|ipmi-\w+|hydra|freebcp|defncopy`, "-[Pp]"],
  [String.raw`snmp\w+`, "-A"],
  [String.raw`snmp\w+`, "-X"],
  [String.raw`snmp\w+`, "-c"],
  [
    String.raw`mongo\w*|twine|psexec|evil-winrm|rdesktop|steghide|couchbase-cli|clickhouse-client`,
    "-p",
  ],
  ["xfreerdp|wfreerdp", "/p:"],
  ["http|https|xh|xhs", "-a[^\\s:]+:|-a\\s+[^\\s:]+:"],
  ["smbclient|smbget|rpcclient|net", "-U\\s*[^\\s%]+%"],
  ["lftp", "-u\\s+[^\\s,]+,"],
  [String.raw`sqlplus|impdp|expdp|sqlldr`, "[\\w.]+/"],
  ["rabbitmqctl", "(?:add_user|change_password|authenticate_user)\\s+\\S+"],
  ["htpasswd", "-[a-zA-Z]*b[a-zA-Z]*\\s+\\S+\\s+\\S+"],
  ["wpa_passphrase", String.raw`\S+\s`],
  ["nmcli", "password"],
  ["vault", "login"],
  ["vault|bao", "put\\s+\\S+\\s+[\\w-]+="],
  ["qpdf", "--encrypt"],
  ["pdftk", "(?:user_pw|owner_pw|input_pw)"],
  ["kubectl", "--from-literal[=\\s]+[^\\s=]+="],
  ["doctl|fly|flyctl", "-t"],
  ["keytool|jarsigner|apksigner", "-(?:store|key|src\\w*|dest\\w*)pass"],
  ["chpasswd|cryptsetup", "<<<"],
];
/** The separator between an option and its value. */
const THEN = String.raw`[=\s]*`;

const RULES: readonly (readonly [RegExp, string])[] = [
  // Headers: up to the closing quote.
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
  ...PROGRAMS.map(([programs, before]): readonly [RegExp, string] => [
    new RegExp(
      String.raw`((?<![\w.-])(?:${programs})\s(?:[^|;&]*?\s)?(?:${before})${THEN})${VALUE}`,
      "gu",
    ),
    `$1${MASK}`,
  ]),
  // sudo -S <<< abc
  [rule(String.raw`((?:\s-S|-stdin|passwd)\b[^|;&]*?<<<\s*)${VALUE}`), `$1${MASK}`],
  // Addresses that are secrets themselves: anyone who knows one can send messages to it.
  [/(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[^\s"']+/giu, `$1${MASK}`],
  [/(\bdiscord(?:app)?\.com\/api\/webhooks\/)[^\s"']+/giu, `$1${MASK}`],
  [/(\bapi\.telegram\.org\/(?:file\/)?bot)[^\s"'/]+/giu, `$1${MASK}`],
  [/(\.webhook\.office\.com\/webhookb2\/)[^\s"']+/giu, `$1${MASK}`],
  [/(\bhooks\.zapier\.com\/hooks\/)[^\s"']+/giu, `$1${MASK}`],
  // echo abc | docker login --password-stdin
  [
    /(\b(?:echo|printf)\s)[^|]*(?=\|[^|]*(?:-stdin|\s-S\b|passwd\b|\bcryptsetup\b|\bkinit\b|\bopenssl\b|\bgpg\b|\bvault\b))/gu,
    `$1${MASK} `,
  ],
  // Tokens with a well-known prefix.
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghr|ghu|glpat|xox[a-z]|npm|pypi|hf|hvs|SG)[-_.][\w.-]{16,}/gu, MASK],
  [/\b(?:AKIA|ASIA|AIza)[\w-]{16,}/gu, MASK],
  [/\bAGE-SECRET-KEY-\w+/gu, MASK],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/gu, MASK],
  [/-----BEGIN[^-]*-----[\s\S]*/gu, MASK],
  // Long random strings of letters and digits. 40 hexadecimal digits are a commit.
  [/\b(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{32,}={0,2}/gu, MASK],
  [/\b(?![\da-f]{40}\b)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{32,}\b/gu, MASK],
];

/**
 * Masks everything in a text that looks like a credential. It cannot recognize all of them: it is meant for one line on
 * a locked screen, where the full text is one tap away.
 */
export function maskCredentials(text: string): string {
  return RULES.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text);
}

function rule(pattern: string): RegExp {
  return new RegExp(pattern, "giu");
}
