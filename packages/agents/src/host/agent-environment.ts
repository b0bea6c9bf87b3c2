import { loopbackDirect } from "./loopback-direct.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that any program may need and that hold no secrets; a star matches the rest of a name. */
const COMMON_NAMES: readonly string[] = [
  "PATH HOME USER LOGNAME SHELL TERM COLORTERM TZ LANG LANGUAGE LC_* TMPDIR TMP TEMP XDG_*",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_* NODE_EXTRA_CA_CERTS",
  // Without these no program starts on Windows.
  "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA",
  "PROGRAMDATA PROGRAMFILES* NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE",
].flatMap((line) => line.split(" "));

/**
 * An agent's environment: the common names and the given ones, but never a `HOLDPOINT_*` variable, which may hold a
 * person's credential. Proxies are bypassed for this machine. Names are compared case-insensitively, as on Windows.
 */
export function agentEnvironment(
  environment: Environment,
  names: readonly string[] = [],
): Record<string, string> {
  const allowed = [...COMMON_NAMES, ...names].map(toPattern);
  const own = withoutOwn(environment);
  const given = keep(own, (name) => allowed.some((pattern) => pattern.test(name)));
  return { ...given, ...loopbackDirect(given) };
}

/** The environment without the gateway's own variables. */
export function withoutOwn(environment: Environment): Record<string, string> {
  return keep(environment, (name) => !/^HOLDPOINT_/iu.test(name));
}

function keep(environment: Environment, isKept: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && isKept(name)) kept[name] = value;
  }
  return kept;
}

function toPattern(name: string): RegExp {
  const escaped = name.replaceAll(/[^\w*]/gu, String.raw`\$&`).replaceAll("*", ".*");
  return new RegExp(`^${escaped}$`, "iu");
}
