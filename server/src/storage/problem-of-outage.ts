import { Problem } from "../shared/problems.ts";
import { KeyServiceUnavailable, type StoreUnavailable } from "./blob-store.ts";

// A full disk or a restart of the store is often resolved within seconds.
const RETRY_AFTER_SECONDS = 5;

/** What a caller reads of a store, or a key service, that says nothing about the document. */
export const problemOfOutage = (cause: StoreUnavailable): Problem =>
  new Problem(cause instanceof KeyServiceUnavailable ? "key_service_away" : "storage_away", cause.message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
