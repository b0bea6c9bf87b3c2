/** One-line summaries of requests. */
export const ASKED_SAYINGS = {
  asked_own: "{text}",
  asked_use: "Use {tool}?",
  asked_create: "Create {object}?",
  asked_edit: "Edit {object}?",
  asked_run: "Run {object}?",
  asked_plan: "Approve this plan?",
  asked_question: "A question for you",
  asked_questions: "{question} (and {n} more)",
  asked_form: "A form to fill in",
} as const;

/** Titles of fields in the gateway's forms. */
const FIELD_SAYINGS = {
  field_answer: "Answer",
} as const;

/** The coverage and duration of longer approvals, and the coverage of rules. */
const SCOPE_SAYINGS = {
  in_session: "Until this session ends.",
  in_session_at: "Until this session ends, in {cwd}.",
  in_sessions: "In every session.",
  in_sessions_at: "In every session, in {cwd}.",
  covers_edits: "Every edit of the file {path}.",
  covers_command: "Only the command “{command}”.",
  covers_reading: "Only reading the file {path}.",
  covers_fetching: "Only fetching the address {url}.",
  covers_call: "{tool} with exactly the input {input}.",
  covers_call_at: "{tool} in {cwd} with exactly the input {input}.",
  covers_server_call: "{tool} of the server {server} with exactly the input {input}.",
  covers_as_agent:
    "Calls of {tool} that the agent itself considers the same; Holdpoint cannot list or revoke this.",
  covers_as_tool: "Calls of {tool} that the tool considers the same as this one.",
  covers_as_approved: "Calls of {tool} that it considers the same as the approved one: {input}",
  covers_once: "One call with exactly the approved input: {input}",
  covers_folder_edits: "Every file edit of this session in {folder}, and nowhere else.",
  covers_rule: "Every call of the rule {rule}.",
  covers_folder: "Access to {folder}.",
  in_terminal_session: "Until the session in the terminal ends.",
  kept_for_project_here: "Kept by Claude Code in the settings of this project on this machine.",
  kept_for_project: "Kept by Claude Code in the settings of this project.",
  kept_for_person: "Kept by Claude Code in your settings for every project.",
  changes_mode: "The permission mode becomes “{label}”.",
  cut_off:
    "({count} more character is not shown here.)|({count} more characters are not shown here.)",
  rule_allow: "Allow without asking, in {cwd}: {pattern}",
  rule_ask: "Always ask about, in {cwd}: {pattern}",
  rule_deny: "Deny, in {cwd}: {pattern}",
} as const;

/** Why nothing can be loaded from the gateway's folder. */
const FILES_SAYINGS = {
  config_not_taken:
    "{path}: {name} cannot be set in a directory's config file. Put it in {file}, or pass this file with --config.",
  config_not_taken_but:
    "{path}: {name} cannot be set in a directory's config file. Use {flag}, put it in {file}, or pass this file with --config.",
  config_in: "{path}:",
  config_at: "{path}: {where}:",
  config_type: "This must be of the type {type}.",
  config_least: "This must be {least} or more.",
  config_most: "This must be {most} or less.",
  config_one_of: "This must be one of {values}.",
  config_unknown: "Unknown setting: {names}.",
  config_known: "Known settings: {names}.",
  config_other: "{text}",
  config_unreadable: "{path} cannot be read: {why}",
  config_no_export: "{path} has no default export. Write: {example}",
  tool_no_export: "It has no default export.",
  tool_slow: "It did not load within {seconds} seconds: it is waiting for something.",
  tool_twice: "It defines the tool {name} twice.",
  tool_elsewhere: "The tool {name} already exists in {files}.",
  tool_claimed: "The tool {name} also exists in {files}: neither is used.",
  file_unreadable: "{name} cannot be read ({code}).",
  file_not_ordinary: "{name} is not a regular file.",
  folder_has_many: "{folder} has more than {most} files to load.",
  files_too_large: "The files in {folder} and their imports are too large.",
  files_too_long:
    "The {count} file is too large to be looked through ({kilobytes} kB). Name the config file with --config to load it.|The {count} files are too large to be looked through ({kilobytes} kB). Name the config file with --config to load them.",
} as const;

/** Why a rule cannot be created, or does not cover a command. */
const RULE_SAYINGS = {
  pattern_has: "A pattern cannot contain this:",
  pattern_empty: "The pattern is empty.",
  pattern_without_program: "The pattern must begin with a program, not with “*”.",
  pattern_too_wide: "“*” cannot stand for the first argument of {program}.",
  pattern_never_allows: "A rule can never allow this:",
  rule_not_absolute: "The directory is not an absolute path.",
  rules_full: "The limit of {most} rules is reached.",
  call_elsewhere: "another directory",
  call_has: "it has",
  call_differs: "other words",
  call_without_pattern: "the rule has no pattern",
  runs_another: "“{program}” runs another command",
  runs_more: "“{word}” can make {program} run or write something else",
  has_too_much: "too many characters",
  has_equals: "a word that begins with “=”",
  has_no_program: "no program",
  has_assignment: "an assignment",
  has_unusual_name: "a program with an unusual name",
  has_reserved: "the shell's own word “{word}”",
  has_substitution: "a substitution or a variable",
  has_redirection: "a redirection",
  has_more_commands: "more than one command",
  has_file_pattern: "a pattern for file names",
  has_group: "a group, a subshell or a list in braces",
  has_comment: "a comment",
  has_home: "a home directory",
  has_history: "a history substitution or a negation",
  has_backslash: "a backslash",
  has_quote: "a quote without its end, or around more than plain text",
  has_other_character: "a character that is not plain ASCII",
} as const;

/** Why an agent cannot be started, or does not accept something. */
const AGENT_SAYINGS = {
  agent_not_installed:
    "The package {name} is not installed. Install it next to the gateway: npm install {name}",
  agent_no_executable: "There is no Claude Code executable at {path}.",
  agent_no_program:
    "{name} was installed without its program for {platform}. Reinstall it without --omit=optional.",
  agent_not_signed_in:
    "Claude has no key and no login here. Set ANTHROPIC_API_KEY and restart the gateway, or log in with Claude Code.",
  agent_not_started: "The agent cannot be started.",
  agent_unknown: "This agent does not exist.",
  agent_silent: "The agent did not report its options.",
  agent_takes_no_messages:
    "This agent was started elsewhere. It asks for answers but does not accept messages.",
  agent_name_taken: "An agent cannot have the same name as the gateway or a person.",
  mode_unknown: "This agent does not have that permission mode.",
  mode_has_no_end: "This permission mode cannot have a time limit.",
  mode_is_owners: "Only an owner can choose a mode that lets the agent do everything.",
  mode_chosen_and_ended: "Either end a permission mode or choose another one, not both.",
  mode_missing: "Specify the permission mode.",
  name_unreadable: "The name contains invisible characters.",
} as const;

/** Why agents may not work in a directory. */
const FOLDER_SAYINGS = {
  folder_not_absolute: "The directory must be an absolute path.",
  folder_missing: "This directory does not exist.",
  folder_unreadable: "The directory cannot be read.",
  folder_in_data: "Agents may not work inside the gateway's data folder.",
  folder_around_data:
    "Agents may not work here, because the gateway's data folder {path} lies inside. Choose the folder of a project, or start the gateway with another data folder (--data-dir).",
} as const;

/** Why the gateway refused a person's action. */
const REFUSAL_SAYINGS = {
  went_wrong: "Something went wrong.",
  interaction_off: "Answering is turned off on this device.",
  always_is_owners: "Only an owner can allow it from now on. Allow it once, or for this session.",
  session_of_everybody:
    "This session belongs to everyone: it was not started by a person signed in with an issuer.",
  session_of_another: "Only the session's person and owners can share it with groups.",
  group_of_no_issuer: "This group does not belong to any issuer of this gateway.",
  session_works: "The agent is working or waiting for an answer. Stop it first.",
  turn_runs: "A turn is running in this session.",
  message_differs: "Another message was sent with this idempotency key.",
  answer_differs: "This answer was taken back.",
  answer_on_its_way: "This answer was given and is on its way to the agent.",
  answer_replaced: "Another answer was given in the meantime.",
  answer_taken: "The agent has the answer or is receiving it.",
  answer_of_another: "Another person has answered this. Only an owner can undo that.",
  responder_not_named: "Other people answer this.",
  responder_not_yet: "You can answer this later if no one has by then.",
  responder_requester: "You asked for this, so someone else must allow it.",
  responder_not_signed_in: "Only people signed in with an issuer can allow this.",
  block_nobody_signs_in:
    "No one can allow this: approval requires people signed in with an issuer, and the gateway has no issuer.",
  block_requester_unknown:
    "No one can allow this: someone other than the requester must, and the requester is not signed in with an issuer.",
  block_too_few: "No one can allow this: it requires more people than are named.",
  block_issuer_unclear: "No one can allow this: the issuer of the named people is not specified.",
  is_answered: "This has been answered.",
  is_pending: "This is still pending: answer it instead.",
  is_over: "This can no longer be answered.",
  notes_full: "No more can be added here.",
  everybody_answers: "Everyone can already answer this.",
  hand_over_not_allowed: "They cannot answer this, now or later.",
  snooze_too_long: "This must be in the next seven days.",
  snoozes_full: "Too many requests are snoozed. Answer some of them first.",
  files_changed: "The files have changed since they were shown. Review them again.",
} as const;

/** Texts in notifications and about them. */
const NOTIFICATION_SAYINGS = {
  notify_answered: "Answered",
  notify_nothing_to_do: "No action needed.",
  notify_from: "{agent} in {folder}",
  notify_from_program: "Program {program}",
  agent_demo: "Demo agent (scripted, no model)",
  notify_more: "{count} more is waiting for you|{count} more are waiting for you",
  notify_name: "Holdpoint",
  notify_works: "Notifications work",
  notify_told: "This device, {device}, is notified when an agent asks you.",
  push_unknown: "This is not the address of a known push service.",
  push_full: "The limit of {most} devices with notifications is reached. Turn them off on one.",
  push_no_device: "Only a signed-in device can get notifications.",
  push_off: "This gateway sends no notifications.",
  push_time_zone: "Unknown time zone.",
  push_unreachable: "{host} cannot be reached ({why}).",
  push_later: "{host} is busy; try again later ({status}).",
  push_refused: "{host} rejects messages from this gateway ({status}).",
} as const;

/** The texts of the gateway and its agents in English. `{name}` is a placeholder, `|` separates singular and plural. */
export const ENGLISH_SAYINGS = {
  ...FILES_SAYINGS,
  ...ASKED_SAYINGS,
  ...FIELD_SAYINGS,
  ...SCOPE_SAYINGS,
  ...RULE_SAYINGS,
  ...AGENT_SAYINGS,
  ...FOLDER_SAYINGS,
  ...REFUSAL_SAYINGS,
  ...NOTIFICATION_SAYINGS,
} as const;

export type SayingCode = keyof typeof ENGLISH_SAYINGS;
