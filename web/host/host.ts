/**
 * What a page of ours tells the page that frames it: `{source: "countersign", v: 1, type, envelope_id, …}`.
 * `embed/src/messages.ts` is the other side. To be connected while the page still loads: the element says hello at its `load`.
 */

type Nothing = Record<never, never>;

/** Codes, counts and times. Never a token, a name, an e-mail address, a title or a value: whoever frames the page reads these. */
interface Fields {
  readonly ready: Nothing;
  readonly progress: { readonly done: number; readonly total: number };
  readonly expiring: { readonly expires_at: string };
  readonly "token-needed": Nothing;
  readonly completed: { readonly envelope_status: string; readonly signed_at: string; readonly again?: boolean };
  readonly declined: Nothing;
  readonly expired: { readonly what: "token" | "envelope" };
  readonly problem: { readonly code: string };
}

export type HostMessage = { [T in keyof Fields]: { readonly type: T } & Fields[T] }[keyof Fields];

// All that leaves. A field that is not named here stays, whatever object it comes in.
const fieldsOf: { readonly [T in keyof Fields]: readonly (keyof Fields[T])[] } = {
  ready: [],
  progress: ["done", "total"],
  expiring: ["expires_at"],
  "token-needed": [],
  completed: ["envelope_status", "signed_at", "again"],
  declined: [],
  expired: ["what"],
  problem: ["code"],
};

export interface Hello {
  readonly locale?: string;
}

export interface Host {
  /** Some page is around this one. Whether it hears anything is decided by its origin. */
  readonly framed: boolean;
  send(message: HostMessage): void;
  /** Takes the latest hello, if one has come, and each later one that names another language. */
  onHello(take: (hello: Hello) => void): void;
}

// A frame without our element never says hello. Shorter, and one on a slow line would be taken for such a frame.
const HELLO_WAIT_MS = 1000;

/**
 * `origins`: those of the boot block, exact or with any port (`http://localhost:*`). Messages wait until the page around this one is known to
 * be of such an origin: by its hello, or by what the browser says about it. Until then, and so perhaps for ever, nothing is sent.
 */
export function connectHost({ origins, envelope_id }: { readonly origins: readonly string[]; readonly envelope_id: string }): Host {
  const framed = window.parent !== window;
  if (!framed) return { framed, send: () => undefined, onHello: () => undefined };

  const waiting: object[] = [];
  let pinned: string | null = null;
  let latest: Hello | null = null;
  let takeHello: (hello: Hello) => void = () => undefined;

  function pin(origin: string): void {
    pinned = origin;
    for (const message of waiting.splice(0)) window.parent.postMessage(message, origin);
  }

  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || !isListed(origin, origins) || (pinned !== null && pinned !== origin)) return;
    const hello = readHello(data);
    if (hello === null) return;
    const isNews = latest === null || latest.locale !== hello.locale;
    latest = hello;
    pin(origin);
    // A new fragment is a `load` for the element too: it says hello again, which must not undo the language that the person chose.
    if (isNews) takeHello(hello);
  });
  setTimeout(() => {
    const origin = framingOrigin();
    if (pinned === null && isListed(origin, origins)) pin(origin);
  }, HELLO_WAIT_MS);

  return {
    framed,
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

/** What the browser says about the page around this one: not every browser knows ancestors, and a referrer can be withheld. */
function framingOrigin(): string {
  const ancestors: DOMStringList | undefined = location.ancestorOrigins;
  return ancestors?.[0] ?? originOf(document.referrer);
}

function originOf(referrer: string): string {
  return referrer === "" ? "" : new URL(referrer).origin;
}

/** An opaque origin (`null`) and an empty one are in no list. */
export function isListed(origin: string, origins: readonly string[]): boolean {
  return origins.some((listed) => (listed.endsWith(":*") ? isSameButForPort(origin, listed.slice(0, -":*".length)) : origin === listed));
}

/** The port that belongs to the scheme is not written in an origin. */
function isSameButForPort(origin: string, withoutPort: string): boolean {
  return origin === withoutPort || (origin.startsWith(`${withoutPort}:`) && /^\d+$/.test(origin.slice(withoutPort.length + 1)));
}

export function readHello(data: unknown): Hello | null {
  if (typeof data !== "object" || data === null) return null;
  const { source, v, type, locale } = data as Readonly<Record<string, unknown>>;
  if (source !== "countersign" || v !== 1 || type !== "hello") return null;
  return typeof locale === "string" ? { locale } : {};
}

export function envelopeMessage(envelope_id: string, message: HostMessage): object {
  const values = message as Readonly<Record<string, unknown>>;
  const named = fieldsOf[message.type].filter((field) => values[field] !== undefined).map((field) => [field, values[field]]);
  return { source: "countersign", v: 1, type: message.type, envelope_id, ...Object.fromEntries(named) };
}
