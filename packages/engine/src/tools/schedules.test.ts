/*
 * A real gateway, with its agents and clients, is compared with a model of the outcome of each call, for any order in
 * which clients connect and leave, people answer, time passes, turns are stopped and processes die at any write.
 */
import {
  createMemoryDisk,
  describeSchedules,
  describeVoteSchedules,
} from "../testing/schedules/index.ts";

describeSchedules("a disk in memory", 120, createMemoryDisk);
describeVoteSchedules("a disk in memory", 60, createMemoryDisk);
