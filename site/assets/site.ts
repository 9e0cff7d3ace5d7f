import type { Hit, openSearch } from "./search.ts";

/** What the pages gain with a script: search, a filter, buttons to copy, and a language of examples that is remembered. */

const LANGUAGE = "docs-language";

followOldLink();
chooseLanguage(storedLanguage());
for (const input of document.querySelectorAll<HTMLInputElement>(".tabs > input"))
  input.addEventListener("change", () => keepLanguage(input));
for (const head of document.querySelectorAll<HTMLElement>(".code")) addCopyButton(head);
const filter = document.querySelector<HTMLElement>(".filter");
if (filter !== null) startFilter(filter);
const form = document.querySelector<HTMLFormElement>("form.search");
if (form !== null && location.protocol !== "file:") startSearch(form);

/** Links to operations of the page that was here before: `/docs/#/Vault exports/get_vault_export`. */
function followOldLink(): void {
  const [, tag, operation] = /^#\/([^/]+)\/(\w+)$/.exec(decodeURIComponent(location.hash)) ?? [];
  if (tag === undefined || operation === undefined || !document.body.classList.contains("home")) return;
  location.replace(`reference/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}#${operation}`);
}

/** null where the browser keeps nothing for pages. */
function storedLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

function keepLanguage({ value }: HTMLInputElement): void {
  const before = document.activeElement?.getBoundingClientRect().top ?? 0;
  chooseLanguage(value);
  // Examples above may have become longer or shorter. What the reader looks at stays where it is.
  scrollBy({ top: (document.activeElement?.getBoundingClientRect().top ?? 0) - before, behavior: "instant" });
  try {
    localStorage.setItem(LANGUAGE, value);
  } catch {
    // The choice holds for this page.
    return;
  }
}

function chooseLanguage(language: string | null): void {
  if (language === null) return;
  for (const input of document.querySelectorAll<HTMLInputElement>(".tabs > input")) if (input.value === language) input.checked = true;
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const code = [...block.querySelectorAll("pre")].find((pre) => pre.offsetParent !== null);
    try {
      await navigator.clipboard.writeText(code?.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  block.append(button);
}

/** Shows the operations that have all the words. */
function startFilter(box: HTMLElement): void {
  const input = box.querySelector("input");
  const status = box.querySelector("[role=status]");
  const operations = [...document.querySelectorAll<HTMLElement>(".operation")];
  const parts = new Map([...document.querySelectorAll<HTMLAnchorElement>(".parts a")].map((link) => [link.hash.slice(1), link]));
  box.hidden = false;
  const apply = () => {
    const words = (input?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const shown = operations.filter((one) => words.every((word) => one.dataset.words?.includes(word)));
    for (const one of operations) one.hidden = !shown.includes(one);
    for (const one of operations) parts.get(one.id)?.closest("li")?.toggleAttribute("hidden", !shown.includes(one));
    for (const other of document.querySelectorAll<HTMLElement>(".objects")) other.hidden = words.length > 0;
    if (status !== null) status.textContent = words.length === 0 ? "" : `${shown.length} of ${operations.length} operations`;
    box.dataset.empty = String(shown.length === 0);
  };
  input?.addEventListener("input", apply);
  // Going back restores the words of the field, but not what it hid. A link to a hidden operation shows all of them.
  addEventListener("pageshow", apply);
  addEventListener("hashchange", () => {
    if (input === null || document.getElementById(location.hash.slice(1))?.hidden !== true) return;
    input.value = "";
    apply();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
}

function startSearch(box: HTMLFormElement): void {
  const input = box.querySelector("input");
  const results = box.querySelector<HTMLElement>(".results");
  const list = results?.querySelector("ul");
  const status = results?.querySelector("[role=status]");
  if (!input || !results || !list || !status) return;
  const script = new URL(box.dataset.script ?? "", location.href).href;
  // Results name pages from the first page on.
  const first = new URL(document.querySelector<HTMLAnchorElement>(".brand")?.href ?? "", location.href);
  let opened: ReturnType<typeof openSearch> | null = null;
  const open = () => {
    opened ??= (import(/* @vite-ignore */ script) as Promise<{ openSearch: typeof openSearch }>)
      .then((loaded) => loaded.openSearch(new URL(box.dataset.index ?? "", location.href).href))
      .catch((error: unknown) => {
        // The next focus tries again.
        opened = null;
        throw error;
      });
    return opened;
  };
  const show = async () => {
    const words = input.value.trim();
    if (words === "") return close();
    try {
      const { hits, total } = (await open())(words);
      // Words that were typed meanwhile have their own answer.
      if (words !== input.value.trim()) return;
      list.replaceChildren(...hits.map((hit) => itemFor(hit, first)));
      status.textContent =
        total === 0
          ? `Nothing found for “${words}”`
          : total > hits.length
            ? `The best ${hits.length} of ${total} results`
            : `${total} ${total === 1 ? "result" : "results"}`;
    } catch {
      list.replaceChildren();
      status.textContent = "The search could not be loaded. Check your connection and try again.";
    }
    results.hidden = false;
  };
  const close = () => {
    results.hidden = true;
    list.replaceChildren();
  };
  box.hidden = false;
  for (const one of document.querySelectorAll<HTMLElement>(".with-search")) one.hidden = false;
  // Typing shows whether it failed.
  input.addEventListener("focus", () => void open().catch(() => undefined));
  input.addEventListener("input", () => void show());
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  box.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === "Escape") {
      close();
      input.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (next !== undefined) next.focus();
      else if (event.key === "ArrowUp") input.focus();
      event.preventDefault();
    }
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) close();
  });
  addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close();
  });
  // A result on the same page leaves the list open.
  list.addEventListener("click", close);
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea") !== null;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function itemFor({ title, page, address, kind }: Hit, first: URL): HTMLLIElement {
  const link = document.createElement("a");
  link.href = new URL(address, first).href;
  const name = document.createElement("strong");
  name.textContent = title;
  const place = document.createElement("small");
  place.textContent = page === title ? kind : `${kind} · ${page}`;
  link.append(name, place);
  const item = document.createElement("li");
  item.append(link);
  return item;
}
