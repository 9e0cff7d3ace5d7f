/**
 * The messages to the page that frames this one: `{source: "countersign", v: 1, type, envelope_id, …}`.
 * `embed/src/messages.ts` is the other side. The boot script keeps what it says until this code is there.
 */

type Nothing = Record<never, never>;

/**
 * Codes, counts, times and names of fields. Never a token, a person's name, an e-mail address, a title or a value, because the framing page
 * can read messages.
 */
interface Fields {
  readonly ready: Nothing;
  readonly progress: { readonly done: number; readonly total: number };
  readonly field: { readonly name: string; readonly filled: boolean };
  readonly expiring: { readonly expires_at: string };
  readonly "token-needed": Nothing;
  /** of the content, in CSS pixels */
  readonly height: { readonly height: number };
  readonly completed: { readonly envelope_status: string; readonly signed_at: string; readonly again?: boolean };
  readonly declined: Nothing;
  readonly expired: { readonly what: "token" | "envelope" };
  readonly problem: { readonly code: string };
}

export type HostMessage = { [T in keyof Fields]: { readonly type: T } & Fields[T] }[keyof Fields];

// The only fields that are sent. Other fields of an object are dropped.
const fieldsOf: { readonly [T in keyof Fields]: readonly (keyof Fields[T])[] } = {
  ready: [],
  progress: ["done", "total"],
  field: ["name", "filled"],
  expiring: ["expires_at"],
  "token-needed": [],
  height: ["height"],
  completed: ["envelope_status", "signed_at", "again"],
  declined: [],
  expired: ["what"],
  problem: ["code"],
};

export interface Hello {
  readonly locale?: string;
  /** parts of the page that the host hides */
  readonly hide?: readonly string[];
  /** ways to create a signature that the host allows */
  readonly methods?: readonly string[];
  /** values for empty fields of the signer, by name */
  readonly prefill?: Readonly<Record<string, string | boolean>>;
  /** a theme that replaces the one of the address */
  readonly theme?: object;
}

export interface Host {
  send(message: HostMessage): void;
  /** Called with the latest hello, if there is one, and with each later one that says something else. */
  onHello(take: (hello: Hello) => void): void;
}

// A host without our element never says hello. Shorter, and a host on a slow connection would be mistaken for one.
const HELLO_WAIT_MS = 1000;

interface Frame {
  /** the allowed origins from the boot block, exact or with any port (`http://localhost:*`) */
  readonly origins: readonly string[];
  readonly envelope_id: string;
  /** what has arrived already */
  readonly early: { take(read: (event: MessageEvent) => void): void };
}

/**
 * Messages wait until the host is known to have one of the origins, from its hello or from the browser. If that never happens, nothing is
 * sent.
 */
export function connectHost({ origins, envelope_id, early }: Frame): Host {
  const waiting: object[] = [];
  let pinned: string | null = null;
  let latest: Hello | null = null;
  let takeHello: (hello: Hello) => void = () => undefined;

  function pin(origin: string): void {
    pinned = origin;
    for (const message of waiting.splice(0)) window.parent.postMessage(message, origin);
  }

  early.take(({ source, origin, data }) => {
    if (source !== window.parent || !isListed(origin, origins) || (pinned !== null && pinned !== origin)) return;
    const hello = readHello(data);
    if (hello === null) return;
    const isNew = JSON.stringify(latest) !== JSON.stringify(hello);
    latest = hello;
    pin(origin);
    // The element repeats its hello after a new fragment. That must not override the language that the user chose.
    if (isNew) takeHello(hello);
  });
  setTimeout(() => {
    const origin = framingOrigin();
    if (pinned === null && isListed(origin, origins)) pin(origin);
  }, HELLO_WAIT_MS);

  return {
    send: (message) => {
      waiting.push(envelopeMessage(envelope_id, message));
      if (pinned !== null) pin(pinned);
    },
    onHello: (take) => {
      takeHello = take;
      if (latest !== null) take(latest);
    },
  };
}

/** The origin of the framing page, if the browser reveals it: not every browser has `ancestorOrigins`, and the referrer can be withheld. */
function framingOrigin(): string {
  const ancestors: DOMStringList | undefined = location.ancestorOrigins;
  return ancestors?.[0] ?? originOf(document.referrer);
}

function originOf(referrer: string): string {
  return referrer === "" ? "" : new URL(referrer).origin;
}

/** Opaque (`null`) and empty origins are never listed. */
export function isListed(origin: string, origins: readonly string[]): boolean {
  return origins.some((listed) => (listed.endsWith(":*") ? isSameButForPort(origin, listed.slice(0, -":*".length)) : origin === listed));
}

/** An origin does not contain the default port of its scheme. */
function isSameButForPort(origin: string, withoutPort: string): boolean {
  return origin === withoutPort || (origin.startsWith(`${withoutPort}:`) && /^\d+$/.test(origin.slice(withoutPort.length + 1)));
}

export function readHello(data: unknown): Hello | null {
  if (typeof data !== "object" || data === null) return null;
  const { source, v, type, locale, hide, methods, prefill, theme } = data as Readonly<Record<string, unknown>>;
  if (source !== "countersign" || v !== 1 || type !== "hello") return null;
  return {
    ...(typeof locale === "string" && { locale }),
    ...(isWords(hide) && { hide }),
    ...(isWords(methods) && { methods }),
    ...(isValues(prefill) && { prefill }),
    ...(typeof theme === "object" && theme !== null && { theme }),
  };
}

const isValues = (values: unknown): values is NonNullable<Hello["prefill"]> =>
  typeof values === "object" &&
  values !== null &&
  Object.values(values).every((one) => typeof one === "string" || typeof one === "boolean");

const isWords = (list: unknown): list is readonly string[] => Array.isArray(list) && list.every((word) => typeof word === "string");

export function envelopeMessage(envelope_id: string, message: HostMessage): object {
  const values = message as Readonly<Record<string, unknown>>;
  const named = fieldsOf[message.type].filter((field) => values[field] !== undefined).map((field) => [field, values[field]]);
  return { source: "countersign", v: 1, type: message.type, envelope_id, ...Object.fromEntries(named) };
}
