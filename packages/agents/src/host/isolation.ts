import type { AgentCommand } from "./host-protocol.ts";

/**
 * What separates an agent's process from the gateway's files, whatever program it runs. Both are of Linux.
 *
 * - `namespace`: the agent has mounts of its own, in which the hidden folders and files are empty. Its user namespace is another
 *   than the gateway's, so it cannot take these mounts away, nor look at processes outside through `/proc`.
 * - `user`: the agent runs as another account. The gateway must be the superuser to start it so.
 */
export type Isolation =
  | {
      readonly mode: "namespace";
      readonly hidden: readonly string[];
      readonly userId: number;
      readonly groupId: number;
    }
  | { readonly mode: "user"; readonly account: Account };

export interface Account {
  readonly name: string;
  readonly userId: number;
  readonly groupId: number;
  readonly home: string;
}

/**
 * Arguments: how many folders and files to hide, these, the ids of user and group, the command. A second user namespace locks the
 * mounts that the first has made. A failure ends the program before the command starts.
 */
const HIDE_AND_START = [
  "set -e",
  "count=$1; shift",
  'while [ "$count" -gt 0 ]; do',
  '  if [ -d "$1" ]; then mount -t tmpfs -o ro,nosuid,nodev,noexec,size=4k,mode=0555 hidden "$1"',
  '  else mount --bind /dev/null "$1"; fi',
  "  shift; count=$((count - 1))",
  "done",
  "user=$1; group=$2; shift 2",
  'exec unshare --user --mount --map-user="$user" --map-group="$group" -- "$@"',
].join("\n");

/** The command in its isolation. It keeps its process id, its signals and its standard streams. */
export function isolate(command: AgentCommand, isolation: Isolation): AgentCommand {
  const [program = "", ...args] = toWords(isolation, [command.command, ...command.args]);
  return { ...command, command: program, args };
}

/** The environment of an agent in its isolation: another account has a home of its own. */
export function isolatedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  isolation: Isolation | undefined,
): Readonly<Record<string, string | undefined>> {
  if (isolation?.mode !== "user") return environment;
  const { name, home } = isolation.account;
  const kept = Object.entries(environment).filter(([key]) => !/^(?:XDG_|TMPDIR$)/u.test(key));
  return { ...Object.fromEntries(kept), HOME: home, USER: name, LOGNAME: name };
}

function toWords(isolation: Isolation, words: readonly string[]): string[] {
  switch (isolation.mode) {
    case "namespace": {
      const { hidden, userId, groupId } = isolation;
      const facts = [hidden.length, ...hidden, userId, groupId].map(String);
      const outer = ["unshare", "--user", "--map-root-user", "--mount", "--"];
      return [...outer, "sh", "-c", HIDE_AND_START, "sh", ...facts, ...words];
    }
    case "user": {
      const { userId, groupId } = isolation.account;
      const ids = [`--reuid=${userId}`, `--regid=${groupId}`, "--init-groups", "--no-new-privs"];
      return ["setpriv", ...ids, "--", ...words];
    }
  }
}
