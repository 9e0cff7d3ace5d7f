import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import { ensureTags } from "../tags/store.ts";
import { MAX_TAGS_OF_RECORD, namedTags } from "../tags/tag.ts";
import type { Envelope } from "./envelope.ts";
import { listKeysOfEnvelope, tagEnvelope } from "./tag-store.ts";

/** The tags of a new envelope. Its creation is recorded, and no entry comes before that one. */
export async function giveTags(tx: Tx, org: OrgId, envelope_id: EnvelopeId, names: readonly string[]): Promise<void> {
  const wanted = namedTags(names);
  await ensureTags(tx, org, wanted);
  const keys = wanted.map(({ tag_key }) => tag_key);
  await tagEnvelope(tx, org, envelope_id, keys, []);
}

type Tagged = Pick<Envelope, "envelope_id">;

/** Gives a locked envelope exactly these tags. The time of its last change stays: tags are not part of the envelope. */
export async function setTags(tx: Tx, caller: Caller, envelope: Tagged, names: readonly string[]): Promise<void> {
  const wanted = namedTags(names);
  const present = await listKeysOfEnvelope(tx, caller.org, envelope.envelope_id);
  const removed = present.filter((key) => !wanted.some(({ tag_key }) => tag_key === key));
  await changeTags(tx, caller, envelope, { present, wanted, removed });
}

/** Adds tags to a locked envelope. */
export async function addTags(tx: Tx, caller: Caller, envelope: Tagged, names: readonly string[]): Promise<void> {
  const present = await listKeysOfEnvelope(tx, caller.org, envelope.envelope_id);
  await changeTags(tx, caller, envelope, { present, wanted: namedTags(names), removed: [] });
}

/** Removes tags from a locked envelope. A tag that it does not have changes nothing. */
export async function removeTags(tx: Tx, caller: Caller, envelope: Tagged, names: readonly string[]): Promise<void> {
  const keys = namedTags(names).map(({ tag_key }) => tag_key);
  const present = await listKeysOfEnvelope(tx, caller.org, envelope.envelope_id);
  await changeTags(tx, caller, envelope, { present, wanted: [], removed: present.filter((key) => keys.includes(key)) });
}

interface TagChange {
  readonly present: readonly string[];
  readonly wanted: ReturnType<typeof namedTags>;
  readonly removed: readonly string[];
}

async function changeTags(tx: Tx, caller: Caller, { envelope_id }: Tagged, { present, wanted, removed }: TagChange): Promise<void> {
  const added = wanted.filter(({ tag_key }) => !present.includes(tag_key));
  if (added.length === 0 && removed.length === 0) return;
  if (present.length - removed.length + added.length > MAX_TAGS_OF_RECORD) {
    throw invalidField("tags", "too_long", `an envelope can have at most ${MAX_TAGS_OF_RECORD} tags`);
  }
  await ensureTags(tx, caller.org, added);
  const keys = added.map(({ tag_key }) => tag_key);
  await tagEnvelope(tx, caller.org, envelope_id, keys, removed);
  const data = { added: added.map(({ name }) => name), removed };
  await appendAudit(tx, caller.org, { type: "envelope.tagged", by: caller, envelope_id, data });
}
