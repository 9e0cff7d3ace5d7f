import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import { ensureTags, updateTag } from "../tags/store.ts";
import { namedTags, type Tag, tagKey } from "../tags/tag.ts";
import type { EnvelopeDeps } from "./envelope.ts";

/** Creates a tag, or changes its name or colour. With a new name, all its envelopes have the tag under that name. */
export function saveTag(
  { db }: Pick<EnvelopeDeps, "db">,
  caller: Caller,
  tag: string,
  change: { readonly name?: string; readonly colour?: string | null },
): Promise<Tag> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    await ensureTags(tx, org, namedTags([tag]));
    const [named] = change.name === undefined ? [] : namedTags([change.name]);
    const saved = await updateTag(tx, org, tagKey(tag), {
      tag_key: named?.tag_key ?? tagKey(tag),
      ...(named !== undefined && { name: named.name }),
      ...(change.colour !== undefined && { colour: change.colour }),
    });
    await appendAudit(tx, org, { type: "tag.saved", by: caller, data: { tag, name: saved.name, colour: saved.colour } });
    return saved;
  });
}
