export { RuleBroken, RuleLedger, type Rule } from "./rule-ledger.ts";
export { checkEnd, checkMoment } from "./schedule-checks.ts";
export { schedules, type Step } from "./schedule-steps.ts";
export { scheduleOptions } from "./schedule-options.ts";
export { Schedule } from "./schedule.ts";
