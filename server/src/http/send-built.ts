import type { FastifyReply, FastifyRequest } from "fastify";
import type { BuiltFile } from "./built-web.ts";

export type Encoding = "br" | "gzip";

/** Sends the file in the best encoding that the browser accepts and the build has. With a tag, `If-None-Match` gives 304. */
export function sendBuilt(request: FastifyRequest, reply: FastifyReply, file: BuiltFile, tag?: string): FastifyReply {
  const encoding = encodingFor(
    request,
    (["br", "gzip"] as const).filter((one) => file[one] !== null),
  );
  const bytes = encoding === null ? file.bytes : (file[encoding] ?? file.bytes);
  if (encodedAs(request, reply, encoding, tag)) return reply.code(304).send();
  return reply.type(file.type).send(bytes);
}

/** Sets the headers that depend on the encoding. Returns true if the browser has these bytes already. */
export function encodedAs(request: FastifyRequest, reply: FastifyReply, encoding: Encoding | null, tag?: string): boolean {
  reply.header("vary", "Accept-Encoding");
  if (encoding !== null) reply.header("content-encoding", encoding);
  if (tag === undefined) return false;
  const full = `"${encoding === null ? tag : `${tag}-${encoding}`}"`;
  reply.header("etag", full);
  const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(full);
}

/** RFC 9110, 12.5.3, as far as browsers use it: a listed encoding is accepted unless its weight is 0. */
export function encodingFor({ headers }: FastifyRequest, present: readonly Encoding[]): Encoding | null {
  const listed = (headers["accept-encoding"] ?? "")
    .toString()
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  const isAccepted = (name: string) => listed.some(([coding, weight = "q=1"]) => coding === name && !/^q=0(\.0*)?$/.test(weight));
  return present.find(isAccepted) ?? null;
}
