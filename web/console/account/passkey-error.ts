import { ApiError } from "../../http.ts";
import { PasskeyRefused } from "../../passkeys.ts";

/** Shows why the browser used no passkey like an error of the service. */
export const explained = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    if (!(error instanceof PasskeyRefused)) throw error;
    throw new ApiError(new Response(null, { status: 422 }), { error: error.message, details: [] });
  });
