import type { Envelope } from "@countersign/client/types";
import type { Agent } from "./tool.ts";

const DRAFTS: readonly string[] = ["pending", "uploaded", "preparing"] satisfies readonly Envelope["status"][];

/** Not sent yet. */
export const isDraft = ({ status }: Envelope): boolean => DRAFTS.includes(status);

/** Created with this key, which the service therefore lets change it until it is sent. */
export const isOwn = ({ metadata }: Envelope, { me }: Agent): boolean => metadata.prepared_by?.key_id === me.key_id;
