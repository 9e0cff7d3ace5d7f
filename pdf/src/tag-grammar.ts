// The grammar between the braces of a tag: `name;attr=value;…`. There are no escapes. All errors of a tag are reported at once, so that a
// document can be fixed in one go. Kerning and line breaks may add white space anywhere, so words from a fixed set (attribute names,
// types, booleans, numbers) are read without it.

import { type FieldTypeName, fieldTypes, typesFrom } from "@countersign/fields";
import type { TagFaultDetail } from "./errors.ts";

export const tagTypes = typesFrom("tag");
export type TagType = FieldTypeName;

export const tagAttributes = ["type", "role", "required", "width", "height", "default", "readonly", "options"] as const;
type Attribute = (typeof tagAttributes)[number];

/** A parsed tag. `name` and `role` are null if not given; sizes are in points, null for the default size. */
export type Tag = {
  readonly name: string | null;
  readonly type: TagType;
  /** Whether the tag states its type, by an attribute or by a name that is a type. */
  readonly type_stated: boolean;
  readonly role: string | null;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly default: string | null;
  readonly options: readonly string[];
  readonly width_pt: number | null;
  readonly height_pt: number | null;
};

/**
 * What is wrong, and with which attribute; null for the name. The caller, which knows the page, adds the place in front of the sentence.
 */
export type TagMistake = { readonly code: TagFaultDetail["code"]; readonly attribute: string | null; readonly says: string };

const MAX_NAME = 100;

const collapsed = (text: string): string => text.replace(/\s+/g, " ").trim();
const tight = (text: string): string => text.replace(/\s+/g, "").toLowerCase();

/**
 * Parses the text between the braces. The tag is valid only if there are no mistakes.
 * @example parseTag("Sig;type=signature;role=Buyer").tag.role // "Buyer"
 */
export function parseTag(inner: string): { tag: Tag; mistakes: TagMistake[] } {
  const mistakes: TagMistake[] = [];
  const wrong = (attribute: Attribute | null, says: string): null => {
    mistakes.push({ code: "invalid_value", attribute, says });
    return null;
  };
  const { name, values } = readSegments(inner, mistakes, wrong);
  if (name !== null && [...name].length > MAX_NAME) wrong(null, `the name has more than ${MAX_NAME} characters`);
  const { type, type_stated } = readType(values.get("type"), name, wrong);
  const boolean = (attribute: "required" | "readonly", absent: boolean): boolean => {
    const value = values.get(attribute);
    if (value === undefined) return absent;
    const word = tight(value);
    return word === "true" || word === "false" ? word === "true" : (wrong(attribute, `${attribute} must be "true" or "false"`) ?? absent);
  };
  const own = fieldTypes[type];
  const given = readOptions(values.get("options"));
  const settings = own.settings({ options: given }, "tag");
  // A tag has no other settings.
  if (!("options" in settings)) for (const { message } of settings) wrong("options", message);
  // A default is compared with the options as they are written, also where these are refused: all mistakes are reported at once.
  const options = given ?? [];
  const readonly = boolean("readonly", false);
  if (readonly && own.draw === "mark") wrong("readonly", `a field of type ${type} cannot be read-only`);
  const role = values.get("role");
  if (role !== undefined && (role === "" || [...role].length > MAX_NAME)) wrong("role", `the role must have 1 to ${MAX_NAME} characters`);
  const tag: Tag = {
    name,
    type,
    type_stated,
    role: role ?? null,
    required: boolean("required", own.required),
    readonly,
    default: readDefault(values.get("default"), type, options, wrong),
    options,
    width_pt: readSize("width", values.get("width"), wrong),
    height_pt: readSize("height", values.get("height"), wrong),
  };
  return { tag, mistakes };
}

type Wrong = (attribute: Attribute | null, says: string) => null;

function readSegments(inner: string, mistakes: TagMistake[], wrong: Wrong): { name: string | null; values: Map<Attribute, string> } {
  const values = new Map<Attribute, string>();
  let name: string | null = null;
  for (const segment of inner.split(";").map(collapsed)) {
    if (segment === "") continue;
    const at = segment.indexOf("=");
    if (at < 0) {
      if (name === null) name = segment;
      else wrong(null, `"${segment}" is neither the name nor an attribute`);
      continue;
    }
    const attribute = tight(segment.slice(0, at));
    if (!isAttribute(attribute)) {
      const says = `unknown attribute "${attribute}"; known: ${tagAttributes.join(", ")}`;
      mistakes.push({ code: "unknown_field", attribute, says });
    } else if (values.has(attribute)) mistakes.push({ code: "duplicate", attribute, says: `attribute "${attribute}" is given twice` });
    else values.set(attribute, segment.slice(at + 1).trim());
  }
  return { name, values };
}

const ATTRIBUTE = new RegExp(`(?:^|;)\\s*(?:${tagAttributes.map((name) => [...name].join("\\s*")).join("|")})\\s*=`, "i");

/** Whether a text without closing braces was meant as a tag: it contains an attribute that only tags have. */
export const looksLikeTag = (inner: string): boolean => ATTRIBUTE.test(inner);

const isAttribute = (word: string): word is Attribute => (tagAttributes as readonly string[]).includes(word);
const isType = (word: string): word is TagType => (tagTypes as readonly string[]).includes(word);

function readType(value: string | undefined, name: string | null, wrong: Wrong): { type: TagType; type_stated: boolean } {
  if (value !== undefined) {
    const word = tight(value);
    if (isType(word)) return { type: word, type_stated: true };
    wrong("type", `unknown type "${value}"; known: ${tagTypes.join(", ")}`);
    return { type: "text", type_stated: true };
  }
  const word = tight(name ?? "");
  return isType(word) ? { type: word, type_stated: true } : { type: "text", type_stated: false };
}

// Bars separate options in other tools. Next to a comma, a bar is part of an option.
function readOptions(value: string | undefined): string[] | undefined {
  return value?.split(value.includes(",") ? "," : "|").map(collapsed);
}

function readDefault(value: string | undefined, type: TagType, options: readonly string[], wrong: Wrong): string | null {
  if (value === undefined) return null;
  const read = fieldTypes[type].tagDefault({ options }, value);
  return typeof read === "string" ? read : wrong("default", read.message);
}

function readSize(attribute: "width" | "height", value: string | undefined, wrong: Wrong): number | null {
  if (value === undefined) return null;
  const points = /^(\d+(?:\.\d+)?|\.\d+)(?:px)?$/.exec(tight(value))?.[1];
  return points !== undefined && Number(points) > 0 ? Number(points) : wrong(attribute, `${attribute} must be a number of pixels above 0`);
}
