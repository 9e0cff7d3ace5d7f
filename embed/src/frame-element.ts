import { type Address, readAddress, refuseOtherPage, samePage, themeFragment, type Widget, withLocale } from "./address.ts";
import { BaseElement } from "./base-element.ts";
import { type EventDetails, hello, readMessage } from "./messages.ts";
import { Refusal, refuseApiKey } from "./refuse.ts";
import { askForUrl, type Renew } from "./renew.ts";

// `allow-same-origin` is the frame's own origin, which is not the host's; without it the page could not even keep its session.
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-downloads";

// Weaker than any rule of the host. The frame lies over the whole element, whichever of its sizes the host sets.
const STYLE = `:host { display: block; position: relative; height: min(100dvh, 900px); min-height: 480px }
:host([hidden]) { display: none }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0 }`;

const attributeOf = { src: "src", renewUrl: "renew-url", locale: "locale", theme: "theme", label: "label" } as const;

interface Shown {
  readonly frame: HTMLIFrameElement;
  readonly address: Address;
  /** Without the fragment. It stays as it is while the frame lives: a change of it would load the page anew. */
  readonly url: string;
  renewing: boolean;
}

/** A page of Countersign in a frame: shows what `src` names, tells what happens in it, and gets it a new token when it needs one. */
export class FrameElement extends BaseElement {
  static readonly observedAttributes = Object.values(attributeOf);

  // Declared, not defined: a framework may set them before this script has come.
  declare src: string | null;
  declare renewUrl: string | null;
  declare locale: string | null;
  declare theme: string | null;
  declare label: string | null;
  /** Gives a new embed_url for the same page; goes before `renew-url`. */
  declare renew: Renew | null | undefined;

  readonly #widget: Widget;
  readonly #defaultLabel: string;
  #connection: AbortController | null = null;
  #shown: Shown | null = null;
  // Put back into the document, the element goes on with the token that it had, not with the older one of `src`.
  #renewed: { readonly src: string | null; readonly address: Address } | null = null;

  constructor(widget: Widget, defaultLabel: string) {
    super();
    this.#widget = widget;
    this.#defaultLabel = defaultLabel;
  }

  connectedCallback(): void {
    this.#takeEarlyProperties();
    this.#connection = new AbortController();
    window.addEventListener("message", (event) => this.#receive(event), { signal: this.#connection.signal });
    this.#follow("src");
  }

  disconnectedCallback(): void {
    this.#connection?.abort();
    this.#connection = null;
    this.#clear();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.#connection !== null && before !== after) this.#follow(name);
  }

  #takeEarlyProperties(): void {
    for (const name of Object.keys(attributeOf) as (keyof typeof attributeOf)[]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      Reflect.deleteProperty(this, name);
      this[name] = value;
    }
  }

  #follow(changed: string): void {
    try {
      refuseApiKey(Array.from(this.attributes, ({ value }) => value));
      if (changed === "src" || this.#shown === null) this.#show();
      else if (changed === "locale") this.#sayHello();
      else if (changed === "label") this.#shown.frame.title = this.#title();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#clear();
      this.#log(error.message);
    }
  }

  #show(): void {
    const src = this.src;
    // Frameworks render first and learn the address later.
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
    const url = address.origin + address.path + withLocale(address.query, this.locale);
    this.#shown = { frame: this.#newFrame(url + this.#fragment(address)), address, url, renewing: false };
  }

  #newFrame(url: string): HTMLIFrameElement {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", SANDBOX);
    frame.referrerPolicy = "no-referrer";
    frame.title = this.#title();
    // At every load: a page that was loaded anew has forgotten whom it talks to.
    frame.addEventListener("load", () => this.#sayHello());
    frame.src = url;
    this.#root().append(frame);
    return frame;
  }

  #root(): ShadowRoot {
    if (this.shadowRoot) return this.shadowRoot;
    const root = this.attachShadow({ mode: "open" });
    // Not a <style>: the policy of the host's page may forbid those.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    return root;
  }

  #clear(): void {
    this.#shown?.frame.remove();
    this.#shown = null;
  }

  #title(): string {
    return this.label ?? this.#defaultLabel;
  }

  #fragment({ fragment }: Address): string {
    const theme = themeFragment(this.theme);
    if (theme === null) this.#log("theme is left out: it must be a JSON object of at most 2 KB");
    return fragment + (theme ?? "");
  }

  /** Only the fragment changes, so the page is not loaded anew and nothing that was entered is lost. */
  #navigate({ frame, url }: Shown, address: Address): void {
    frame.contentWindow?.location.replace(url + this.#fragment(address));
  }

  #sayHello(): void {
    if (this.#shown === null) return;
    const { frame, address } = this.#shown;
    frame.contentWindow?.postMessage(hello(address.envelope_id, this.locale), address.origin);
  }

  #receive({ source, origin, data }: MessageEvent): void {
    const shown = this.#shown;
    // Without a source both would be null once somebody has taken the frame away.
    if (shown === null || source === null || source !== shown.frame.contentWindow || origin !== shown.address.origin) return;
    const message = readMessage(data, shown.address.envelope_id);
    if (message === null) return;
    const { type, detail } = message;
    if (type !== "token-needed") this.#tell(type, detail);
    // A host that sets `src` itself when it hears that the time runs out needs no renewal by us.
    const renewable = Boolean(this.renew || this.renewUrl);
    if (type === "token-needed" || (type === "expiring" && renewable)) void this.#renewToken(shown);
  }

  async #renewToken(shown: Shown): Promise<void> {
    if (shown.renewing || shown !== this.#shown) return;
    shown.renewing = true;
    try {
      const address = readAddress(await askForUrl(this.renew, this.renewUrl), this.#widget);
      refuseOtherPage(shown.address, address);
      if (shown !== this.#shown) return;
      this.#renewed = { src: this.src, address };
      this.#navigate(shown, address);
    } catch (error) {
      if (shown !== this.#shown) return;
      // Whatever the host's own function throws: the page asks again, and until then the host knows.
      this.#log(`not renewed: ${error instanceof Error ? error.message : "the host's function failed"}`);
      this.#tell("problem", { code: "renewal_failed" });
    } finally {
      shown.renewing = false;
    }
  }

  #tell<T extends keyof EventDetails>(type: T, detail: EventDetails[T]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #log(why: string): void {
    // biome-ignore lint/suspicious/noConsole: whoever builds the host's page looks here, and nowhere else.
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
    set(this: FrameElement, value: string | null | undefined) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
  });
}
