/** One type of field. Every part of the product that treats types differently reads this declaration. */
export interface FieldType {
  /** the word in the API, in tags and in the database */
  readonly type: string;
  readonly from: readonly Origin[];
  readonly draw: Drawing;
  readonly control: Control;
  /** width and height in points when it is placed by hand in the builder */
  readonly size_pt: readonly [width: number, height: number];
  /** whether a new field is required when the tag or the person placing it does not say */
  readonly required: boolean;
  /** The settings as they are kept, or everything that is wrong with those given. */
  settings(given: GivenSettings, from: Origin): Settings | readonly SettingFault[];
  /** The value as it is kept, or why the field cannot hold it. */
  held(settings: Settings, value: unknown): string | Fault;
  /** The same for the default that a tag states. White space inside may come from line breaks in the document. */
  tagDefault(settings: Settings, written: string): string | Fault;
  /** The same for the default that a request gives. Without it, requests cannot give a default. */
  requestDefault?(settings: Settings, value: string): string | Fault;
}

/** Where fields of a type come from: requests of the API, tags in the document. */
export type Origin = "request" | "tag";

/**
 * text: the value is written out. cross: a ticked box is crossed. disc: the chosen option's place is filled, and the option is written out
 * where there is no place for each. mark: a signature or initials, with a caption.
 */
export type Drawing = "text" | "cross" | "disc" | "mark";

/** What a signer fills the field in with, by the words of HTML. mark: a button that applies the signature or initials. shown: nothing. */
export type Control = "text" | "number" | "date" | "checkbox" | "select" | "radio" | "mark" | "shown";

/** What a field has beyond its type. Which members a type has is said in its file. */
export interface Settings {
  /** the choices of a select or radio field; null for other types */
  readonly options: readonly string[] | null;
  /** the sender fills it in before sending, and it is locked for its signer */
  readonly sender_fills?: boolean;
  /** text: whether it can have several lines. A text without any settings can if its place is high enough */
  readonly multiline?: boolean;
  /** text: in characters */
  readonly max_length?: number;
  readonly format?: TextFormat;
  /** text: `9` a digit, `A` a letter, `*` either, everything else as it stands */
  readonly mask?: string;
  /** date: the service enters the day of signing, in the signer's time zone */
  readonly fill?: "signing_day";
  /** date: YYYY-MM-DD */
  readonly earliest?: string;
  readonly latest?: string;
  /** As text, because it is hashed. number: a decimal. checkbox, on the first field of a group: how many boxes are ticked */
  readonly min?: string;
  readonly max?: string;
  /** number: digits after the point */
  readonly places?: number;
  /** number: written after it */
  readonly unit?: string;
  /** checkbox: its group */
  readonly group?: string;
}

export type TextFormat = "email" | "phone" | "digits" | "letters";

/** `options` and everything else that a tag or a request gives, unread. */
export type GivenSettings = { readonly options?: readonly string[] | undefined } & Readonly<Record<string, unknown>>;

export interface SettingFault {
  readonly setting: string;
  readonly message: string;
}

/** Why a value is refused. The message of a tag's default is a sentence; that of a value follows the field's name: "must be a number". */
export interface Fault {
  readonly code: "invalid_value" | "invalid_format";
  readonly message: string;
}
