import { copiesAndRetention as inRules1 } from "../../1/checks/07-copies-and-retention.ts";
import { attested, proven } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

export const copiesAndRetention = fromRules1(inRules1, ({ copy }) =>
  copy?.lock?.kind === "object_lock"
    ? proven("The object store itself refuses to delete or overwrite the record before the retention date.")
    : attested("The lock is this service's own; a person with access to the disk can still delete the file."),
);
