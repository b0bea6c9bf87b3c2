export { createMemoryDisk, createMortalStore, type Disk } from "../memory-disk.ts";
export { describeSchedules } from "./describe-schedules.ts";
export { checkEnd } from "./schedule-checks.ts";
export { schedules } from "./schedule-steps.ts";
export { scheduleOptions } from "./schedule-options.ts";
export { Schedule } from "./schedule.ts";
export { describeVoteSchedules } from "./describe-vote-schedules.ts";
