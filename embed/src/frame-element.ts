import { type Address, readAddress, requireSamePage, samePage, themeFragment, themeObject, type Widget, withLocale } from "./address.ts";
import { BaseElement } from "./base-element.ts";
import { EmbedError, rejectApiKey } from "./embed-error.ts";
import { type EventDetails, hello, type PageMessage, readMessage } from "./messages.ts";
import {
  attributeOf,
  attributeText,
  type HiddenPart,
  type Prefill,
  readPrefill,
  readTarget,
  type SignatureMethod,
  type Theme,
  wordsIn,
} from "./options.ts";
import { askForUrl, type Renew } from "./renew.ts";

// `allow-same-origin` keeps the origin of the framed page, which is not that of the host. Without it the page could not store its session.
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-downloads";

// Any rule of the host overrides these. The frame fills the element, whatever size the host sets.
const styleWith = (height: string): string => `:host { display: block; position: relative; ${height} }
:host([hidden]) { display: none }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0 }`;

const fixedHeight = (screen: string): string => `height: min(${screen}, 900px); min-height: 400px`;

// Not more than the screen: the page has its buttons at the bottom of the frame, and they must be visible.
const autoHeight = (screen: string, content_px: number | null): string =>
  `height: ${content_px === null ? screen : `${content_px}px`}; min-height: 240px; max-height: ${screen}`;

const BAD_HEIGHT = "height is ignored. It can be auto; set other heights in a style sheet";
const BAD_THEME = "theme is ignored. It must be a JSON object of at most 2 KB";

// An element further down than this is scrolled to, and then has the whole screen.
const MAX_TOP = 0.4;

interface Shown {
  readonly frame: HTMLIFrameElement;
  readonly address: Address;
  /** Without the fragment. It must not change while the frame is shown, because that would reload the page. */
  readonly url: string;
  renewing: boolean;
}

/** A Countersign page in a frame: shows `src`, fires events, and renews the token when the page needs one. */
export class FrameElement extends BaseElement {
  static readonly observedAttributes = Object.values(attributeOf);

  // Declared, not defined, because a framework may set them before this script is loaded. Objects and lists are read back as the text of
  // the attribute.
  declare src: string | null;
  declare renewUrl: string | null;
  declare locale: string | null;
  declare theme: Theme | string | null;
  declare label: string | null;
  /** `auto`: as high as the content of the page. */
  declare height: "auto" | null;
  /** Parts to hide: `header`, `decline`, `download`. */
  declare hide: readonly HiddenPart[] | string | null;
  /** Allowed ways to create a signature: `draw`, `type`, `upload`. All without it. */
  declare methods: readonly SignatureMethod[] | string | null;
  /** Values for empty fields of the signer, by field name; as an object or its JSON. */
  declare prefill: Prefill | string | null;
  /** Where the host's page goes after the person has signed, and after the document was declined. */
  declare completedUrl: string | null;
  declare declinedUrl: string | null;
  /** Returns a new embed_url for the same page. Takes precedence over `renew-url`. */
  declare renew: Renew | null | undefined;

  readonly #widget: Widget;
  readonly #defaultLabel: string;
  #connection: AbortController | null = null;
  #shown: Shown | null = null;
  /** The height of the content, as the page last reported it. */
  #content_px: number | null = null;
  // When the element is inserted again, it continues with its last token, not with the older one in `src`.
  #renewed: { readonly src: string | null; readonly address: Address } | null = null;

  constructor(widget: Widget, defaultLabel: string) {
    super();
    this.#widget = widget;
    this.#defaultLabel = defaultLabel;
  }

  connectedCallback(): void {
    this.#upgradeProperties();
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    window.addEventListener("message", (event) => this.#receive(event), { signal });
    for (const type of ["load", "resize"]) window.addEventListener(type, () => this.#fit(), { signal });
    this.#applyAttribute("src");
  }

  disconnectedCallback(): void {
    this.#connection?.abort();
    this.#connection = null;
    this.#clear();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.#connection !== null && before !== after) this.#applyAttribute(name);
  }

  #upgradeProperties(): void {
    for (const name of Object.keys(attributeOf) as (keyof typeof attributeOf)[]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      Reflect.deleteProperty(this, name);
      Object.assign(this, { [name]: value });
    }
  }

  #applyAttribute(changed: string): void {
    try {
      rejectApiKey(Array.from(this.attributes, ({ value }) => value));
      if (changed === "src" || this.#shown === null) this.#show();
      else if (changed === "locale" || changed === "hide" || changed === "methods" || changed === "prefill") this.#sayHello();
      else if (changed === "theme") this.#changeTheme();
      else if (changed === "height") this.#changeHeight();
      else if (changed === "label") this.#shown.frame.title = this.#title();
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      this.#clear();
      this.#log(error.message);
    }
  }

  #show(): void {
    const src = this.src;
    // Frameworks may render the element before they know the address.
    if (!src) {
      this.#clear();
      return;
    }
    const address = this.#renewed?.src === src ? this.#renewed.address : readAddress(src, this.#widget);
    if (this.#shown?.frame.contentWindow && samePage(this.#shown.address, address)) this.#navigate(this.#shown, address);
    else this.#load(address);
  }

  #load(address: Address): void {
    this.#clear();
    this.#changeHeight();
    const url = address.origin + address.path + withLocale(address.query, this.locale);
    this.#shown = { frame: this.#newFrame(url + this.#fragment(address)), address, url, renewing: false };
  }

  #newFrame(url: string): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", SANDBOX);
    frame.referrerPolicy = "no-referrer";
    frame.title = this.#title();
    // At every load, because a reloaded page does not know its host.
    frame.addEventListener("load", () => this.#sayHello());
    frame.src = url;
    this.#root().append(frame);
    this.#fit();
    return frame;
  }

  #root(): ShadowRoot {
    if (this.shadowRoot) return this.shadowRoot;
    const root = this.attachShadow({ mode: "open" });
    // Not a <style> element, which the content security policy of the host may forbid.
    root.adoptedStyleSheets = [new CSSStyleSheet()];
    return root;
  }

  #fit(): void {
    const top_px = Math.round(this.getBoundingClientRect().top + window.scrollY);
    const isHigh = top_px >= 0 && top_px <= window.innerHeight * MAX_TOP;
    // What is above the element is taken off its height, so that the buttons at the bottom of the page are visible without scrolling.
    const screen = `calc(100dvh - ${isHigh ? top_px : 0}px)`;
    const height = this.height === "auto" ? autoHeight(screen, this.#content_px) : fixedHeight(screen);
    this.shadowRoot?.adoptedStyleSheets[0]?.replaceSync(styleWith(height));
  }

  #changeHeight(): void {
    if (this.height !== null && this.height !== "auto") this.#log(BAD_HEIGHT);
    this.#fit();
  }

  #clear(): void {
    this.#shown?.frame.remove();
    this.#shown = null;
    this.#content_px = null;
  }

  #title(): string {
    return this.label ?? this.#defaultLabel;
  }

  #fragment({ fragment }: Address): string {
    const theme = themeFragment(this.getAttribute("theme"));
    if (theme === null) this.#log(BAD_THEME);
    return fragment + (theme ?? "");
  }

  /** Only the fragment changes, so the page is not reloaded and no entry is lost. */
  #navigate({ frame, url }: Shown, address: Address): void {
    frame.contentWindow?.location.replace(url + this.#fragment(address));
  }

  #sayHello(theme?: object): void {
    if (this.#shown === null) return;
    const { frame, address } = this.#shown;
    const words = (name: string) => wordsIn(this.getAttribute(name));
    const options = { hide: words("hide"), methods: words("methods"), prefill: this.#prefill() };
    frame.contentWindow?.postMessage(hello(address.envelope_id, this.locale, options, theme), address.origin);
  }

  /** A mistake in it must not keep a person from signing. */
  #prefill(): Prefill {
    try {
      return readPrefill(this.getAttribute("prefill"));
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      this.#log(error.message);
      return {};
    }
  }

  #changeTheme(): void {
    const theme = themeObject(this.getAttribute("theme"));
    if (theme === null) this.#log(BAD_THEME);
    else this.#sayHello(theme);
  }

  #receive({ source, origin, data }: MessageEvent): void {
    const shown = this.#shown;
    // `source` and `contentWindow` are both null if the frame was removed.
    if (shown === null || source === null || source !== shown.frame.contentWindow || origin !== shown.address.origin) return;
    const message = readMessage(data, shown.address.envelope_id);
    if (message === null) return;
    const { type, detail } = message;
    if (type === "height") {
      this.#content_px = detail.height;
      this.#fit();
      return;
    }
    const isTaken = type !== "token-needed" && !this.#dispatch(type, detail);
    if (!isTaken) this.#leaveAfter(message);
    // On `expiring`, a host without a renewal sets `src` itself.
    const renewable = Boolean(this.renew || this.renewUrl);
    if (type === "token-needed" || (type === "expiring" && renewable)) void this.#renewToken(shown);
  }

  async #renewToken(shown: Shown): Promise<void> {
    if (shown.renewing || shown !== this.#shown) return;
    shown.renewing = true;
    try {
      const address = readAddress(await askForUrl(this.renew, this.renewUrl), this.#widget);
      requireSamePage(shown.address, address);
      if (shown !== this.#shown) return;
      this.#renewed = { src: this.src, address };
      this.#navigate(shown, address);
    } catch (error) {
      if (shown !== this.#shown) return;
      // Any error of the host's function is reported. The page asks again later.
      this.#log(`renewal failed: ${error instanceof Error ? error.message : "the renew function failed"}`);
      this.#dispatch("problem", { code: "renewal_failed" });
    } finally {
      shown.renewing = false;
    }
  }

  /** A person who comes back to a document that they have signed stays, to get their copy. */
  #leaveAfter({ type, detail }: PageMessage): void {
    const url = type === "declined" ? this.declinedUrl : type === "completed" && detail.again !== true ? this.completedUrl : null;
    if (!url) return;
    try {
      window.location.assign(readTarget(url, document.baseURI));
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      this.#log(error.message);
    }
  }

  /** False if a listener called `preventDefault`. */
  #dispatch<T extends keyof EventDetails>(type: T, detail: EventDetails[T]): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
  }

  #log(why: string): void {
    // biome-ignore lint/suspicious/noConsole: developers of the host page look here.
    console.error(`<countersign-${this.#widget}>: ${why}`);
  }
}

for (const [property, attribute] of Object.entries(attributeOf)) {
  Object.defineProperty(FrameElement.prototype, property, {
    configurable: true,
    enumerable: true,
    get(this: FrameElement): string | null {
      return this.getAttribute(attribute);
    },
    set(this: FrameElement, value: string | object | null | undefined) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, attributeText(value));
    },
  });
}
