import { type TObject, type TSchema, Type } from "typebox";
import type { Endpoint } from "./endpoint.ts";
import { named } from "./shapes.ts";
import { closed } from "./unknown-fields.ts";

/** The parts of a request or response around an operation's payload. */

export const Meta = named(
  "Meta",
  Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    total_capped: Type.Optional(Type.Boolean({ description: "true: counting stopped at `total`. There are more, but no pages after it" })),
  }),
);

/** The whole 2xx body of an endpoint, closed: it cannot contain an undeclared field. */
export function answerSchema(endpoint: Pick<Endpoint, "answer" | "list">): TSchema {
  const data = closed(endpoint.answer);
  if (endpoint.list === null) return Type.Object({ data }, { additionalProperties: false });
  return Type.Object({ data: Type.Array(data), meta: closed(Meta) }, { additionalProperties: false });
}

// With a larger page number the offset would exceed what the database accepts.
const LAST_PAGE = 1_000_000;

/** The query parameters of a list: the endpoint's own filters, `page` and `limit`. */
export function pageQuery(filters: TObject | undefined): TObject {
  return Type.Object({
    ...filters?.properties,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  });
}

/** A whole number from 1 that fits into a PostgreSQL integer. */
export const NUMBER_PATTERN = "^[1-9][0-9]{0,8}$";

/** Responses with a single record have an ETag. */
export const isTagged = (endpoint: Endpoint): boolean => endpoint.method === "GET" && endpoint.list === null && !endpoint.acting;

/** The example as a whole response body. */
export function answerExample({ list, examples }: Endpoint): unknown {
  if (list === null) return { data: examples.answer };
  return { data: [examples.answer], meta: { page: 1, limit: list.limit, total: 1 } };
}
