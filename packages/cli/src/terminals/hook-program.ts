/*
 * The hook in plain sh with curl: Node alone would take longer to start than a hook may (40 ms). What Claude Code 2.1.330 does, seen
 * in a pseudo-terminal:
 * - `PermissionRequest` hooks run beside the terminal's own prompt, and whichever answers first wins. So the hook may wait for days.
 * - Esc and No in the terminal end the hook with SIGTERM. Yes does not: the hook runs on until the session ends, and what it prints
 *   is ignored. So the gateway is told of the tool's end (`PostToolUse`) and of the turn's (`Stop`), and sends the hook away.
 * - `PermissionDenied` hooks are waited for, `{retry: true}` tells the model that it may try again, and the classifier would refuse
 *   that again: a `PreToolUse` hook that says "allow" is stronger than the classifier, and weaker than a rule.
 * - What is no JSON, and an exit code other than 0, is no decision.
 * - An `http` hook would need no process, but a credential in a file that others can read, or on a port that a stranger may have
 *   taken; and it could not come again after a restart.
 * Codex 0.169.0 waits for its hook before it asks in the terminal, and kills it on Esc. So the hook waits seconds for a gateway
 * that is gone, and the gateway two minutes for a person.
 */

/** The hook's text. `curl`: the absolute path of the program. */
export function hookProgram({ curl }: { readonly curl: string }): string {
  return `#!/bin/sh
# Holdpoint's hook: asks a person what an agent in a terminal asks. Made by "holdpoint adopt", removed by "holdpoint adopt --undo".
# Without a gateway it does nothing. It prints a decision only when a person has made one.
[ -z "$ASKED_BY_ITS_HOST" ] || exit 0
PATH=/usr/bin:/bin
dir=\${0%/*}
door=$dir/terminal.sock
[ -S "$door" ] || exit 0

send() {
  ${quote(curl)} -qsf --noproxy '*' --unix-socket "$door" "$@"
}
post() {
  printf '%s' "$input" | send --max-time 0.3 -o /dev/null --data-binary @- "http://holdpoint/$1"
}

kind=\${2:-claude}

case $1 in
note)
  # Once or twice in a turn: whether the agent works.
  send --max-time 0.3 -o /dev/null --data-binary @- "http://holdpoint/tell/$PPID/$kind"
  ;;
tell)
  # After each tool call: it costs a look into the folder, unless something waits.
  for mark in "$dir"/terminal-*.waits "$dir"/terminal-*.passes "$dir"/terminal-*.denied; do
    [ -e "$mark" ] || continue
    send --max-time 2 -o /dev/null --data-binary @- "http://holdpoint/tell//$kind"
    exit 0
  done
  ;;
pass)
  # Before each tool call: the same look, for what a person has allowed after a classifier's no.
  for mark in "$dir"/terminal-*.passes; do
    [ -e "$mark" ] || exit 0
    send --max-time 2 --data-binary @- http://holdpoint/pass
    exit 0
  done
  ;;
try)
  input=$(cat)
  post "try/$$-$(date +%s)" && echo ${TRIED_WORD}
  ;;
${ASK}esac
exit 0
`;
}

/** About a second each: a gateway on a busy machine needs some to start. All the while Codex does not ask in its terminal. */
const CODEX_TRIES = 10;

/** Asks, and waits until there is an answer or the agent is gone. */
const ASK = `ask)
  id=$$-$(date +%s)
  input=$(cat)
  post "ask/$id/$kind" || exit 0
  mark=$dir/terminal-$id.waits
  : >"$mark"
  trap 'kill $! 2>/dev/null; rm -f "$mark"; exit 0' TERM INT HUP
  while :; do
    send --max-time 60 "http://holdpoint/wait/$id" &
    wait $!
    case $? in
    0 | 18) break ;; # answered, or cut off, which is no decision
    esac
    # Nothing yet, or the gateway is gone. Claude Code's own prompt is open all the while; that of Codex comes after the hook.
    tries=0
    while kill -0 $PPID 2>/dev/null; do
      post "ask/$id/$kind"
      case $? in
      0) continue 2 ;;
      22) break ;; # not asked any more
      esac
      tries=$((tries + 1))
      [ "$kind" = claude ] || [ $tries -lt ${CODEX_TRIES} ] || break
      sleep 1
    done
    break
  done
  rm -f "$mark"
  ;;
`;

const TRIED_WORD = "reached";

/** What the hook prints when it was tried and has reached a gateway. */
export const REACHED = `${TRIED_WORD}\n`;

/** A word of sh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
