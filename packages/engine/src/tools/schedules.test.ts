/*
 * A real gateway, with its agents and clients, beside a model of what must come of each call, whatever the order in which
 * clients come and go, persons answer, time passes, turns are stopped and processes die at any write.
 */
import {
  createMemoryDisk,
  describeSchedules,
  describeVoteSchedules,
} from "../testing/schedules/index.ts";

describeSchedules("a disk in memory", 120, createMemoryDisk);
describeVoteSchedules("a disk in memory", 60, createMemoryDisk);
