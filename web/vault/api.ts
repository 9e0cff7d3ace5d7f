import * as session from "../session.ts";
import type { Call, CallForFile, CallForPage, CallUntilAnswered, VaultOperations } from "../widget-operations.ts";

/** The calls of the vault page, typed by the operations below `/embed/vault/{envelope_id}`. */
export const call = session.call as Call<VaultOperations>;
export const callForFile = session.callForFile as CallForFile<VaultOperations>;
export const callForPage = session.callForPage as CallForPage<VaultOperations>;
export const callUntilAnswered = session.callUntilAnswered as CallUntilAnswered<VaultOperations>;
