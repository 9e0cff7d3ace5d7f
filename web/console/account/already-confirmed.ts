import { ApiError } from "../../http.ts";

/** The answer to an earlier attempt was lost: the factor is confirmed, and its recovery codes were never shown. */
export const isAlreadyConfirmed = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field, code }) => field === "code" && code === "conflict");
