import type { PageOptions } from "./options.ts";

/**
 * The messages between the page in the frame and the element: `{source: "countersign", v: 1, type, envelope_id, …}`.
 * Those of the page never contain a token, a person's name, an e-mail address, a title or a value; the hello of the element has values only
 * if the host gives some for fields. Members that are not listed here are ignored.
 */

/** The detail of each event; `null` for events without data. */
export interface EventDetails {
  readonly ready: null;
  readonly progress: { readonly done: number; readonly total: number };
  /** A field of this person was filled in or emptied; by its name, without its value. */
  readonly field: { readonly name: string; readonly filled: boolean };
  readonly completed: {
    readonly envelope_id: string;
    readonly envelope_status: string;
    readonly signed_at: string;
    /** The signer had already signed before and opened the page again. */
    readonly again?: boolean;
  };
  readonly declined: null;
  readonly expiring: { readonly expires_at: string };
  readonly expired: { readonly what: "token" | "envelope" };
  readonly problem: { readonly code: string };
}

/** The messages of the page: the events, and those for the element itself. */
interface PageDetails extends EventDetails {
  readonly "token-needed": null;
  /** The height of its content in CSS pixels. */
  readonly height: { readonly height: number };
}

export type PageMessage = { [T in keyof PageDetails]: { readonly type: T; readonly detail: PageDetails[T] } }[keyof PageDetails];

type Received = Readonly<Record<string, unknown>>;

// undefined: the message is malformed and is ignored.
type Readers<Details> = { readonly [T in keyof Details]: (received: Received, envelope_id: string) => Details[T] | undefined };

const eventReaders: Readers<EventDetails> = {
  ready: () => null,
  progress: ({ done, total }) => (typeof done === "number" && typeof total === "number" ? { done, total } : undefined),
  field: ({ name, filled }) => (typeof name === "string" && typeof filled === "boolean" ? { name, filled } : undefined),
  completed: ({ envelope_status, signed_at, again }, envelope_id) =>
    typeof envelope_status === "string" && typeof signed_at === "string"
      ? { envelope_id, envelope_status, signed_at, ...(again === true && { again }) }
      : undefined,
  declined: () => null,
  expiring: ({ expires_at }) => (typeof expires_at === "string" ? { expires_at } : undefined),
  expired: ({ what }) => (what === "token" || what === "envelope" ? { what } : undefined),
  problem: ({ code }) => (typeof code === "string" ? { code } : undefined),
};

const readers: Readers<PageDetails> = {
  ...eventReaders,
  "token-needed": () => null,
  height: ({ height }) => (typeof height === "number" && Number.isInteger(height) && height > 0 ? { height } : undefined),
};

/** Every event of <countersign-vault>. */
export const vaultEvents = ["ready", "expiring", "expired", "problem"] as const satisfies readonly (keyof EventDetails)[];
/** Every event of <countersign-sign>. */
export const signEvents = Object.keys(eventReaders) as readonly (keyof EventDetails)[];

/** null if this is not a message about this envelope in a known version. */
export function readMessage(data: unknown, envelope_id: string): PageMessage | null {
  if (typeof data !== "object" || data === null) return null;
  const received = data as Received;
  const { source, v, type } = received;
  if (source !== "countersign" || v !== 1 || received.envelope_id !== envelope_id) return null;
  if (typeof type !== "string" || !Object.hasOwn(readers, type)) return null;
  const detail = readers[type as keyof PageDetails](received, envelope_id);
  return detail === undefined ? null : ({ type, detail } as PageMessage);
}

/** The message of the element. The page sends its messages only to the origin of this one. */
export function hello(envelope_id: string, locale: string | null, options: PageOptions, theme?: object): object {
  const { hide, methods, prefill } = options;
  return {
    source: "countersign",
    v: 1,
    type: "hello",
    envelope_id,
    ...(locale && { locale }),
    ...(hide.length > 0 && { hide }),
    ...(methods.length > 0 && { methods }),
    ...(Object.keys(prefill).length > 0 && { prefill }),
    ...(theme && { theme }),
  };
}
