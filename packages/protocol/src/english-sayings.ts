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
  covers_command: "Exactly the command “{command}”.",
  covers_reading: "Reading exactly the file {path}.",
  covers_fetching: "Fetching exactly the address {url}.",
  covers_call: "{tool} with exactly the input {input}.",
  covers_call_at: "{tool} in {cwd} with exactly the input {input}.",
  covers_server_call: "{tool} of the server {server} with exactly the input {input}.",
  covers_as_agent:
    "Calls of {tool} that the agent itself takes for the same; Holdpoint cannot list or revoke this.",
  covers_as_tool: "Calls of {tool} that the tool takes for the same as this one.",
  covers_as_approved: "Calls of {tool} that it takes for the same as the approved one: {input}",
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
    "({count} character more is not repeated here.)|({count} characters more are not repeated here.)",
  rule_allow: "Allow without asking, in {cwd}: {pattern}",
  rule_ask: "Always ask about, in {cwd}: {pattern}",
  rule_deny: "Deny, in {cwd}: {pattern}",
} as const;

/** Why nothing can be loaded from the gateway's folder. */
const FILES_SAYINGS = {
  config_not_taken:
    "{path}: {name} is not taken from a directory's config file. Instead put it into {file}, or name this file with --config.",
  config_not_taken_but:
    "{path}: {name} is not taken from a directory's config file. Instead use {flag}, or put it into {file}, or name this file with --config.",
  config_in: "{path}:",
  config_at: "{path}: {where}:",
  config_type: "This must be of the type {type}.",
  config_least: "This must be {least} or more.",
  config_most: "This must be {most} or less.",
  config_one_of: "This must be one of {values}.",
  config_unknown: "There is no setting {names}.",
  config_known: "There are: {names}.",
  config_other: "{text}",
  config_unreadable: "{path} cannot be read: {why}",
  config_no_export: "{path} has no default export. Write: {example}",
  tool_no_export: "It has no default export.",
  tool_slow: "It was not loaded within {seconds} seconds: it waits for something.",
  tool_twice: "It has two tools {name}.",
  tool_elsewhere: "There is a tool {name} in {files} already.",
  tool_claimed: "There is a tool {name} in {files} as well: neither is used.",
  file_unreadable: "{name} cannot be read ({code}).",
  file_not_ordinary: "{name} is not an ordinary file.",
  folder_has_many: "{folder} has more than {most} files to load.",
  files_too_large: "The files in {folder} and their imports are too large.",
  files_too_long:
    "The {count} file is too large to be looked through ({kilobytes} kB). Name the config file with --config to load it.|The {count} files are too large to be looked through ({kilobytes} kB). Name the config file with --config to load them.",
} as const;

/** Why a rule cannot be created, or does not cover a command. */
const RULE_SAYINGS = {
  pattern_has: "A pattern cannot have this:",
  pattern_empty: "The pattern is empty.",
  pattern_without_program: "The pattern begins with a program, not with “*”.",
  pattern_too_wide: "“*” cannot stand for what {program} does.",
  pattern_never_allows: "This is never allowed by a rule:",
  rule_not_absolute: "The directory is not a whole path.",
  rules_full: "There are {most} rules already.",
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
    "The package {name} is not installed. Install it beside the gateway: npm install {name}",
  agent_no_executable: "There is no Claude Code executable at {path}.",
  agent_no_program:
    "{name} came without its program for {platform}. Install it again without --omit=optional.",
  agent_not_signed_in:
    "Claude has no key and no login here. Set ANTHROPIC_API_KEY and restart the gateway, or log in with Claude Code.",
  agent_not_started: "It cannot be started.",
  agent_unknown: "There is no such agent.",
  agent_silent: "The agent did not say what it offers.",
  agent_takes_no_messages:
    "This agent was started elsewhere. It asks for answers, but it takes no messages.",
  agent_name_taken: "An agent may not be called like the gateway or like a person.",
  mode_unknown: "This agent has no such permission mode.",
  mode_has_no_end: "This permission mode does not end by itself.",
  mode_is_owners: "Only an owner chooses a mode that lets the agent do everything.",
  mode_chosen_and_ended: "Either end a permission mode or choose another.",
  mode_missing: "Say for which permission mode.",
  name_unreadable: "The name has characters that nobody sees.",
} as const;

/** Why agents may not work in a directory. */
const FOLDER_SAYINGS = {
  folder_not_absolute: "The directory must be an absolute path.",
  folder_missing: "There is no such directory.",
  folder_unreadable: "The directory cannot be read.",
  folder_in_data: "Agents may not work inside the gateway's data folder.",
  folder_around_data:
    "Agents may not work here, because the gateway's data folder {path} lies inside. Choose the folder of a project, or start the gateway with another data folder (--data-dir).",
} as const;

/** Why the gateway refused a person's action. */
const REFUSAL_SAYINGS = {
  went_wrong: "Something went wrong.",
  interaction_off: "Interaction is switched off on this client.",
  always_is_owners: "Only an owner can allow it from now on. Allow it once, or for this session.",
  session_of_everybody:
    "This session is everybody's: nobody who signed in at an issuer has started it.",
  session_of_another: "Only the person whose session it is, and owners, give it to groups.",
  group_of_no_issuer: "This group is of no issuer of this gateway.",
  session_works: "The agent works, or waits for an answer: stop it first.",
  turn_runs: "A turn is running in this session.",
  message_differs: "Another message was sent with this idempotency key.",
  answer_differs: "This answer was taken back.",
  answer_on_its_way: "This answer was given and is on its way to the agent.",
  answer_replaced: "Another answer was given meanwhile.",
  answer_taken: "The agent has the answer, or is getting it.",
  answer_of_another: "Another person has answered this. Only an owner takes that back.",
  responder_not_named: "Other people answer this.",
  responder_not_yet: "You can answer this later, if nobody has by then.",
  responder_requester: "You asked for this, so somebody else has to allow it.",
  responder_not_signed_in: "Only people who have signed in at an issuer can allow this.",
  block_nobody_signs_in:
    "Nobody can allow this: it needs people who have signed in at an issuer, and the gateway has none.",
  block_requester_unknown:
    "Nobody can allow this: somebody else than who asked for it has to, and who asked has not signed in at an issuer.",
  block_too_few: "Nobody can allow this: it needs more people than it names.",
  block_issuer_unclear:
    "Nobody can allow this: it does not say at which of the issuers its people sign in.",
  is_answered: "This has been answered.",
  is_pending: "This is still pending: answer it instead.",
  is_over: "This can't be answered any more.",
  notes_full: "There is no room for more of this here.",
  everybody_answers: "Everybody can answer this already.",
  hand_over_not_allowed: "They cannot answer this, neither now nor later.",
  snooze_too_long: "This must be in the next seven days.",
  snoozes_full: "Too much is put off. Answer some of it first.",
  files_changed: "The files have changed since they were shown. Look at them again.",
} as const;

/** Texts in notifications and about them. */
const NOTIFICATION_SAYINGS = {
  notify_answered: "Answered",
  notify_nothing_to_do: "Nothing to do here any more.",
  notify_from: "{agent} in {folder}",
  notify_from_program: "Program {program}",
  agent_demo: "Demo agent (scripted, no model)",
  notify_more: "{count} more is waiting for you|{count} more are waiting for you",
  notify_name: "Holdpoint",
  notify_works: "Notifications work",
  notify_told: "This device, {device}, is told when an agent asks you.",
  push_unknown: "This is not the address of a push service that is known here.",
  push_full: "{most} devices have notifications. Turn them off on one.",
  push_no_device: "Only a signed-in device has notifications.",
  push_off: "This gateway sends no notifications.",
  push_time_zone: "This time zone is not known.",
  push_unreachable: "{host} cannot be reached ({why}).",
  push_later: "{host} wants to be asked later ({status}).",
  push_refused: "{host} refuses messages of this gateway ({status}).",
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
