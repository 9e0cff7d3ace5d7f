import { streamZip, type ZippedFile } from "../documents/stream-zip.ts";
import type { StreamAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { oneLine, uniqueFileNames } from "../shared/name-file.ts";
import { Problem } from "../shared/problems.ts";
import type { EnvelopeDeps, ListedEnvelope } from "./envelope.ts";
import { readListed } from "./filter-store.ts";
import { issueDocument } from "./issue-document.ts";

const CONTENTS = "Contents.txt";
const MISSING = "Not included.txt";

/**
 * The documents of several envelopes in one ZIP file, each as `GET /partner/envelopes/:envelope_id/document` would return it now. One
 * document is made, recorded and sent at a time, at the pace of the client. What cannot be included is named in a file at the end. The
 * first file needs no document, so that the download begins at once.
 */
export async function zipDocuments(deps: EnvelopeDeps, caller: Caller, given: readonly EnvelopeId[]): Promise<StreamAnswer> {
  const at = new Date();
  const ids = [...new Set(given)];
  const found = new Map((await deps.db.tx(caller.org, (tx) => readListed(tx, caller.org, ids))).map((one) => [one.envelope_id, one]));
  const nameOf = uniqueFileNames();
  async function* files(): AsyncGenerator<ZippedFile> {
    yield textFile(nameOf(CONTENTS), contentsText(ids, found, at));
    const missing: string[] = [];
    for (const envelope_id of ids) {
      const issued = await orRefusal(issueDocument(deps, { caller, named: caller.actor.id, early: "prepared" }, envelope_id));
      if (issued instanceof Problem) missing.push(`${titleOf(envelope_id, found)}: ${issued.says}.`);
      else yield { name: nameOf(issued.file_name ?? "document.pdf"), bytes: issued.bytes };
    }
    if (missing.length > 0) yield textFile(nameOf(MISSING), ["These documents are not in this ZIP file:", "", ...missing]);
  }
  return { type: "application/zip", file_name: `Documents ${at.toISOString().slice(0, 10)}.zip`, pieces: streamZip(files(), at) };
}

/** A failure of the service ends the download instead. */
const orRefusal = <T>(issuing: Promise<T>): Promise<T | Problem> =>
  issuing.catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });

type Found = ReadonlyMap<EnvelopeId, ListedEnvelope>;

function contentsText(ids: readonly EnvelopeId[], found: Found, at: Date): string[] {
  return [
    `Documents of ${ids.length} ${ids.length === 1 ? "envelope" : "envelopes"}, requested on ${at.toISOString().slice(0, 16).replace("T", " at ")} UTC.`,
    `If a document could not be included, the file "${MISSING}" gives the reason.`,
    "",
    ...ids.map((envelope_id) => `${titleOf(envelope_id, found)}, ${found.get(envelope_id)?.status ?? "not found"}`),
  ];
}

/** A name from a request must not add a line of its own. */
const titleOf = (envelope_id: EnvelopeId, found: Found): string => {
  const name = found.get(envelope_id)?.envelope_name;
  return name === undefined ? envelope_id : `${oneLine(name)} (${envelope_id})`;
};

// Lines end as in files of Windows, which every system reads.
const textFile = (name: string, lines: readonly string[]): ZippedFile => ({ name, bytes: Buffer.from(`${lines.join("\r\n")}\r\n`) });
