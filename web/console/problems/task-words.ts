import type { FailedJob } from "@countersign/client/types";
import { en as words } from "../words/problems/en.ts";

const tasks: Readonly<Record<string, string>> = words.tasks;

/** What was to be done. A job that a newer version of the service has keeps its name. */
export const taskWords = ({ task }: Pick<FailedJob, "task">): string => tasks[task] ?? task;
