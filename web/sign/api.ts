import * as session from "../session.ts";
import type { Call, CallForFile, CallUntilAnswered, SigningOperations } from "../widget-operations.ts";

/** The calls of the signing page, typed by the operations below `/embed/sign/{envelope_id}`. */
export const call = session.call as Call<SigningOperations>;
export const callForFile = session.callForFile as CallForFile<SigningOperations>;
export const callUntilAnswered = session.callUntilAnswered as CallUntilAnswered<SigningOperations>;
