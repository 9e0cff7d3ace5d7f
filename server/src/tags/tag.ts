import { Type } from "typebox";
import { about, named, nullable } from "../http/shapes.ts";
import { foldText } from "../shared/search-words.ts";
import { MAX_TAG_NAME, TAG_NAME_PATTERN } from "../shared/tag-names.ts";

/** A tag is a name that an organization gives to envelopes and templates. Names that differ only in case or white space are the same tag. */
export interface Tag {
  readonly tag_key: string;
  readonly name: string;
  readonly colour: string | null;
}

export const MAX_TAGS_OF_ORG = 500;
/** of an envelope or a template */
export const MAX_TAGS_OF_RECORD = 20;

export const TagName = named(
  "TagName",
  Type.String({
    minLength: 1,
    maxLength: MAX_TAG_NAME,
    pattern: TAG_NAME_PATTERN,
    "x-message": "must be one line of text and must not be blank",
  }),
);
export const TagNames = about(
  Type.Array(TagName, { maxItems: MAX_TAGS_OF_RECORD }),
  "Names of tags. A tag that does not exist yet is created. Case does not matter",
);
export const Colour = nullable(Type.String({ pattern: "^#[0-9a-f]{6}$", "x-message": "must be a colour such as #1f6feb" }));

const tidyName = (name: string): string => name.trim().replaceAll(/\s+/g, " ");

/** How tags are compared. Not cut, because two long names must not become one. */
export const tagKey = (name: string): string => foldText(tidyName(name));

/** Each tag once, with the spelling that came first, in the order in which rows are locked. */
export function namedTags(names: readonly string[]): Pick<Tag, "tag_key" | "name">[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(tagKey(name))) byKey.set(tagKey(name), tidyName(name));
  return [...byKey].map(([tag_key, name]) => ({ tag_key, name })).sort((a, b) => (a.tag_key < b.tag_key ? -1 : 1));
}
