import { type TObject, type TSchema, Type } from "typebox";
import type { Endpoint } from "./endpoint.ts";
import { named } from "./shapes.ts";
import { closed } from "./unknown-fields.ts";

/** What surrounds the payload of an operation on the wire. */

export const Meta = named("Meta", Type.Object({ page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }));

/** The whole 2xx body of an endpoint, closed: a field that is not declared does not leave. */
export function answerSchema(endpoint: Pick<Endpoint, "answer" | "list">): TSchema {
  const data = closed(endpoint.answer);
  if (endpoint.list === null) return Type.Object({ data }, { additionalProperties: false });
  return Type.Object({ data: Type.Array(data), meta: closed(Meta) }, { additionalProperties: false });
}

// Beyond it the offset of a page would no longer be a number that the database takes.
const LAST_PAGE = 1_000_000;

/** The query of a list: the endpoint's own filters and the two that every list has. */
export function pageQuery(filters: TObject | undefined): TObject {
  return Type.Object({
    ...filters?.properties,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  });
}

/** A whole number from 1, short enough to be one for PostgreSQL too. */
export const NUMBER_PATTERN = "^[1-9][0-9]{0,8}$";

/** Single records carry an ETag. */
export const isTagged = (endpoint: Endpoint): boolean => endpoint.method === "GET" && endpoint.list === null && !endpoint.acting;

/** The example in its wrapping, as it goes over the wire. */
export function answerExample({ list, examples }: Endpoint): unknown {
  if (list === null) return { data: examples.answer };
  return { data: [examples.answer], meta: { page: 1, limit: list.limit, total: 1 } };
}
