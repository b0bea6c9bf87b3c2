/*
 * The hook, in plain sh with curl: Node alone would take longer to start than a hook may (40 ms). The behaviour of
 * Claude Code 2.1.330, observed in a pseudo-terminal:
 * - `PermissionRequest` hooks run in parallel with the terminal's own prompt, and whichever answers first wins. So the
 *   hook may wait for days.
 * - Esc and No in the terminal end the hook with SIGTERM. Yes does not: the hook runs until the session ends, and its
 *   output is ignored. So other hooks report the end of the tool (`PostToolUse`) and of the turn (`Stop`) to the
 *   gateway, which then ends the hook.
 * - The runtime waits for `PermissionDenied` hooks. `{retry: true}` tells the model that it may try again, but the
 *   classifier would refuse the call again. A `PreToolUse` hook that answers "allow" overrides the classifier, but not
 *   a rule.
 * - Output that is not JSON, or an exit code other than 0, is no decision.
 * - An `http` hook would need no process, but a credential in a file that others can read, or on a port that a stranger
 *   may have taken; and it could not come again after a restart.
 * Codex 0.169.0 waits for its hook before it asks in the terminal, and kills the hook on Esc. So the hook waits seconds
 * for a missing gateway, and the gateway two minutes for a person.
 */

/** The hook's text. `curl`: the absolute path of the program. */
export function hookProgram({ curl }: { readonly curl: string }): string {
  return `#!/bin/sh
# Holdpoint's hook: sends the requests of an agent in a terminal to a person. Made by "holdpoint adopt", removed by "holdpoint adopt --undo".
# Without a gateway it does nothing. It prints a decision only when a person has made one.
[ -z "$ASKED_BY_ITS_HOST" ] || exit 0
PATH=/usr/bin:/bin
dir=\${0%/*}
door=$dir/terminal.sock
[ -S "$door" ] || [ "$1" = note ] || exit 0

# Waits for a person for as long as its caller sets; every other request may take 300 ms.
# In a data folder whose path is too long for a socket, the door is a link to it.
send() {
  at=$door
  [ ! -L "$door" ] || at=$(readlink "$door")
  ${quote(curl)} -qsf --noproxy '*' --unix-socket "$at" "$@"
}
post() {
  send --max-time 0.3 --data-binary @- "http://holdpoint/$1"
}
post_input() {
  printf '%s' "$input" | post "$1" >/dev/null
}

kind=\${2:-claude}
${TURN}
case $1 in
note)
  # Once or twice in a turn, and when a sub-agent is done: reports whether the agent works.
  input=$(cat)
  { [ -S "$door" ] && post_input "tell/$PPID/$kind"; } || end_waits
  ;;
tell)
  # After each tool call: looks into the folder, and reports only if a request waits.
  for mark in "$dir"/terminal-*.waits "$dir"/terminal-*.passes "$dir"/terminal-*.denied "$dir"/terminal-*.allowed; do
    [ -e "$mark" ] || continue
    post "tell//$kind" >/dev/null
    exit 0
  done
  ;;
pass)
  # Before each tool call: looks for calls that a person allowed after a classifier refused them.
  for mark in "$dir"/terminal-*.passes; do
    [ -e "$mark" ] || exit 0
    post pass
    exit 0
  done
  ;;
try)
  input=$(cat)
  post_input "try/$$-$(date +%s)" && echo ${TRIED_WORD}
  ;;
${ASK}esac
exit 0
`;
}

/**
 * Shell functions for a turn that ends while no gateway is listening. They remove the marks of the turn's waiting
 * hooks: the terminal no longer asks, and the next gateway could not know. A hook whose mark is gone stops asking.
 */
const TURN = `
# The current turn's session and sub-agent, which come before any text of a tool or a task.
turn_of() {
  head=\${input%%'"tool_name":'*}
  head=\${head%%'"background_tasks":'*}
  turn=
  for key in session_id agent_id; do
    case $head in
    *"\\"$key\\":\\""*)
      value=\${head#*"\\"$key\\":\\""}
      turn="$turn\\"$key:\${value%%'"'*}"
      ;;
    esac
  done
}
end_waits() {
  turn_of
  ended=$turn
  [ "$ended" ] || return
  # A session ends with its sub-agents.
  case $head in
  *'"hook_event_name":"SessionEnd"'*) sub=$ended'"agent_id:' ;;
  *) sub=none ;;
  esac
  for mark in "$dir"/terminal-*.waits; do
    turn=
    [ -e "$mark" ] && read -r turn <"$mark"
    case $turn in
    "$ended" | "$sub"*) rm -f "$mark" ;;
    esac
  done
}
`;

/**
 * Tries of about a second each, since a gateway on a busy machine takes some seconds to start. During that time Codex
 * does not ask in its terminal, and a call refused by a classifier blocks its agent. For Claude Code's own prompt,
 * which is open in parallel, the hook tries without limit.
 */
const HELD_UP_TRIES = 10;

/** Asks, and waits until there is an answer or the agent is gone. */
const ASK = `ask)
  id=$$-$(date +%s)
  input=$(cat)
  post_input "ask/$id/$kind" || exit 0
  mark=$dir/terminal-$id.waits
  turn_of
  printf '%s\\n' "$turn" >"$mark"
  case $kind$head in
  claude*'"PermissionDenied"'*) most=${HELD_UP_TRIES} ;;
  claude*) most= ;;
  *) most=${HELD_UP_TRIES} ;;
  esac
  trap 'kill $! 2>/dev/null; rm -f "$mark"; exit 0' TERM INT HUP
  while [ -e "$mark" ]; do
    send --max-time 60 "http://holdpoint/wait/$id" &
    wait $!
    case $? in
    0 | 18) break ;; # answered, or cut off, which is no decision
    esac
    # Nothing yet, or the gateway is gone.
    tries=0
    while [ -e "$mark" ] && kill -0 $PPID 2>/dev/null; do
      post_input "ask/$id/$kind"
      case $? in
      0) continue 2 ;;
      22) break ;; # no longer asked
      esac
      tries=$((tries + 1))
      [ -z "$most" ] || [ $tries -lt $most ] || break
      sleep 1
    done
    break
  done
  rm -f "$mark"
  ;;
`;

const TRIED_WORD = "reached";

/** The output of a tried hook that has reached a gateway. */
export const REACHED = `${TRIED_WORD}\n`;

/** Quotes a text as one word of sh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
