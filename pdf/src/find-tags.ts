// Finds the fields that a document defines as tags in its text, and the positions of the tags for their removal.

import { fieldTypes } from "@countersign/fields";
import { type Area, areaOf, clipArea, type Extent, emptyExtent, extend, isOnPage, toFractions } from "./area.ts";
import { cornersOf } from "./content/glyphs.ts";
import { limits, tooMany } from "./content/limits.ts";
import { type PageTexts, readTexts, type TagAnnotation } from "./content/page-texts.ts";
import type { FoundTag } from "./content/tag-search.ts";
import { type Doc, numbers } from "./doc.ts";
import type { TagFaultDetail } from "./errors.ts";
import { displayedSize } from "./page-tree.ts";
import { sharedFonts } from "./stamp/shared-fonts.ts";
import { undrawableIn } from "./stamp/undrawable.ts";
import { looksLikeTag, parseTag, type Tag, type TagMistake, type TagType } from "./tag-grammar.ts";

/** A field defined by a tag. Several tags may have the same name; each defines its own area. */
export type TagField = {
  readonly name: string;
  readonly type: TagType;
  readonly role: string;
  /** False if the tag has no role; `role` is then the first role that the document names. */
  readonly role_stated: boolean;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly default: string | null;
  readonly options: readonly string[];
  readonly area: Area;
  /** The size stated in the tag extends beyond the page. */
  readonly area_clipped: boolean;
};

/** The position of one tag; `field` is its index in `fields`, or null if it is invalid. */
export type TagSpan = {
  readonly page: number;
  /** The text of the tag, including the braces. */
  readonly tag: string;
  readonly field: number | null;
  /** The tag is only a name, and not a type: in a customer's document it may just be text in braces. */
  readonly bare: boolean;
  /** Indexes of the page's glyphs in the interpreter's order; or the annotation's index in `/Annots`. */
  readonly glyphs: readonly number[];
  readonly annotation: number | null;
};

export type TagFaultFound = TagFaultDetail & { readonly page: number; readonly tag: string; readonly attribute: string | null };

export type FoundTags = {
  readonly fields: TagField[];
  /** Roles stated in tags, in document order. */
  readonly roles: string[];
  readonly spans: TagSpan[];
  readonly faults: TagFaultFound[];
  /** Not errors, but probably not what the author meant. */
  readonly warnings: TagWarning[];
};

/** `tag` is its text, at most 40 characters. `field` is its index in `fields`; null if it is not a tag. */
export type TagWarning = {
  readonly code: "tag_unclosed" | "single_option";
  readonly page: number;
  readonly tag: string;
  readonly field: number | null;
};

// Limits the warnings for a document with many open braces.
const MAX_UNCLOSED = 20;
const SHOWN_CHARACTERS = 40;

const FIRST_ROLE = "Signer";

// A hand-drawn signature is not legible if it is lower than this.
const MIN_SIGNATURE_PT = 24;

/**
 * All tags of the document, in document order. Errors are returned: a template with errors is rejected with all of them; elsewhere an
 * invalid tag stays text. Throws UnreadablePdf `too_complex` for more than 1,000 tags or if the content exceeds a limit.
 * @example const { fields, spans, faults } = findTags(doc); if (faults.length === 0) removeTags(doc, spans)
 */
export function findTags(doc: Doc): FoundTags {
  const tags = collectTags(doc);
  for (const texts of readTexts(doc)) tags.read(texts);
  return tags.found();
}

/** The same for callers that read the pages, in order, for other purposes too. */
export function collectTags(doc: Doc): { readonly read: (texts: PageTexts) => void; readonly found: () => FoundTags } {
  const tags: Located[] = [];
  const unclosed: TagWarning[] = [];
  return {
    read(texts) {
      if (tags.length + texts.tags.length + texts.annotations.length > limits.tags) throw tooMany(limits.tags, "tags");
      for (const tag of texts.tags) tags.push(locate(texts, tag));
      for (const tag of texts.annotations) tags.push(locateAnnotation(doc, texts, tag));
      const page = texts.page.index + 1;
      for (const inner of texts.unclosed) {
        if (looksLikeTag(inner) && unclosed.length < MAX_UNCLOSED) {
          unclosed.push({ code: "tag_unclosed", page, tag: beginning(`{{${collapse(inner)}`), field: null });
        }
      }
    },
    found: () => fieldsOf(tags, unclosed),
  };
}

const beginning = (text: string): string => [...text].slice(0, SHOWN_CHARACTERS).join("");

function fieldsOf(tags: readonly Located[], unclosed: readonly TagWarning[]): FoundTags {
  const { roles, conflicts } = rolesOf(tags);
  const unnamed = new Map<TagType, number>();
  const fields: TagField[] = [];
  const spans: TagSpan[] = [];
  const faults: TagFaultFound[] = [];
  const warnings = [...unclosed];
  for (const located of tags) {
    const { tag, page, text, glyphs, annotation } = located;
    const mistakes = [...located.mistakes, ...conflicts(tag)];
    if (located.area === null) mistakes.push({ code: "invalid_value", attribute: null, says: "the tag is outside the page" });
    for (const { code, attribute, says } of mistakes)
      faults.push({ code, message: `Page ${page}, ${text}: ${says}`, page, tag: text, attribute });
    const sound = mistakes.length === 0 && located.area !== null;
    if (sound) fields.push(fieldOf(located, located.area as Placed, roles[0] ?? FIRST_ROLE, unnamed));
    const bare = tag.name !== null && !tag.type_stated && collapse(located.inner) === tag.name;
    if (sound && tag.options.length === 1) warnings.push({ code: "single_option", page, tag: beginning(text), field: fields.length - 1 });
    spans.push({ page, tag: text, field: sound ? fields.length - 1 : null, bare, glyphs, annotation });
  }
  return { fields, roles, spans, faults, warnings };
}

type Placed = { readonly area: Area; readonly clipped: boolean };

type Located = {
  readonly page: number;
  readonly inner: string;
  readonly text: string;
  readonly tag: Tag;
  readonly mistakes: readonly TagMistake[];
  readonly area: Placed | null;
  readonly glyphs: readonly number[];
  readonly annotation: number | null;
};

const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();

function located(texts: PageTexts, inner: string, extent: Extent, own: Pick<Located, "glyphs" | "annotation">): Located {
  const page = texts.page.index + 1;
  const { tag, mistakes } = parseTag(inner);
  mistakes.push(...undrawableMistakes(tag));
  const area = isOnPage(extent) ? placed(page, tag, extent, displayedSize(texts.displayed), own.annotation !== null) : null;
  return { page, inner, text: `{{${collapse(inner)}}}`, tag, mistakes, area, ...own };
}

// The text that the tag asks for must have a font; otherwise no one could sign it.
function undrawableMistakes(tag: Tag): TagMistake[] {
  if (fieldTypes[tag.type].draw === "mark") return [];
  const written = { default: tag.default ?? "", options: tag.options.join(" ") };
  return (["default", "options"] as const).flatMap((attribute): TagMistake[] => {
    const says = undrawableIn(written[attribute], sharedFonts());
    return says === null ? [] : [{ code: "invalid_value", attribute, says: `"${attribute}" ${says}` }];
  });
}

function locate(texts: PageTexts, { inner, glyphs, firstLine }: FoundTag): Located {
  const extent = emptyExtent();
  const toPage = toFractions(texts.displayed);
  for (const glyph of firstLine) extend(extent, cornersOf(texts.content.glyphs, glyph), toPage);
  return located(texts, inner, extent, { glyphs, annotation: null });
}

function locateAnnotation(doc: Doc, texts: PageTexts, { inner, index, dict }: TagAnnotation): Located {
  const extent = emptyExtent();
  extend(extent, numbers(doc, dict.get("Rect")) ?? [], toFractions(texts.displayed));
  return located(texts, inner, extent, { glyphs: [], annotation: index });
}

/** The field's area, starting at the top left of the tag's first line, with the stated size or the default size of its type. */
function placed(page: number, tag: Tag, line: Extent, size: { w_pt: number; h_pt: number }, isAnnotation: boolean): Placed | null {
  const lineHeight = line.bottom - line.top;
  const { draw } = fieldTypes[tag.type];
  const grows = !isAnnotation && draw === "mark";
  // Not for radio buttons: a group with a single area shows the selected option as text, which needs more than a square.
  const square = !isAnnotation && draw === "cross";
  const ownHeight = grows ? Math.max(lineHeight, MIN_SIGNATURE_PT / size.h_pt) : lineHeight;
  const h = tag.height_pt === null ? ownHeight : tag.height_pt / size.h_pt;
  const ownWidth = square ? (h * size.h_pt) / size.w_pt : line.right - line.left;
  const w = tag.width_pt === null ? ownWidth : tag.width_pt / size.w_pt;
  const top = tag.height_pt === null ? line.bottom - ownHeight : line.top;
  const extent = { left: line.left, top, right: line.left + w, bottom: top + h };
  if (!isOnPage(extent)) return null;
  const stated = tag.width_pt !== null || tag.height_pt !== null;
  const clipped = stated && clipArea({ page, x: line.left, y: top, w, h })?.clipped === true;
  return { area: areaOf(page, extent), clipped };
}

function fieldOf({ tag }: Located, { area, clipped }: Placed, role: string, unnamed: Map<TagType, number>): TagField {
  const { type, required, readonly, options } = tag;
  return {
    name: tag.name ?? nextName(type, unnamed),
    type,
    role: tag.role ?? role,
    role_stated: tag.role !== null,
    required,
    readonly,
    default: tag.default,
    options,
    area,
    area_clipped: clipped,
  };
}

function nextName(type: TagType, unnamed: Map<TagType, number>): string {
  const count = (unnamed.get(type) ?? 0) + 1;
  unnamed.set(type, count);
  return `${type[0]?.toUpperCase()}${type.slice(1)} ${count}`;
}

/**
 * The stated roles. A role that differs from an earlier one only in case or spacing is an error, because it would create a second person.
 */
function rolesOf(tags: readonly Located[]): { roles: string[]; conflicts: (tag: Tag) => TagMistake[] } {
  const roles = new Map<string, string>();
  const keyOf = (role: string): string => role.replace(/\s+/g, "").toLowerCase();
  for (const { tag } of tags) if (tag.role && !roles.has(keyOf(tag.role))) roles.set(keyOf(tag.role), tag.role);
  return {
    roles: [...roles.values()],
    conflicts: ({ role }) => {
      const first = role === null ? role : (roles.get(keyOf(role)) ?? role);
      if (first === role) return [];
      return [{ code: "invalid_value", attribute: "role", says: `role "${role}" differs from "${first}" only in case or spacing` }];
    },
  };
}
