import { keepPartitions, type PartitionDeps } from "./keep-partitions.ts";

/** Not typed by the catalogue of `jobs/`, which imports `db/`; `main.ts` compares it with that. */
export const partitionJobs = (deps: PartitionDeps) => ({ "db.partitions": (): Promise<void> => keepPartitions(deps) });
