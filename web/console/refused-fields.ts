import { ApiError } from "../http.ts";

export interface FieldFault {
  /** the API's name of the field */
  readonly field: string;
  /** follows the field's label */
  readonly message: string;
}

/** What the page itself finds wrong, shown at the fields like an error of the service. */
export const refusedFields = (error: string, faults: readonly FieldFault[]): ApiError =>
  new ApiError(new Response(null, { status: 422 }), {
    error,
    details: faults.map(({ field, message }) => ({ location: "body", field, code: "invalid_value", message })),
  });
