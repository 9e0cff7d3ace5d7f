import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  expect as playwrightExpect,
  type Route,
} from "@playwright/test";
import { afterAll, afterEach, inject, vi, test as vitestTest } from "vitest";
import { ALL } from "../../testing/all.ts";
import type { BrowserAnswer } from "./global-setup.ts";
import { shake } from "./shake.ts";
import { language } from "./words.ts";

/** The browser of the test run. Errors in the browser console fail a test. */

const answer = await fetch(inject("browserUrl"));
if (!answer.ok) throw new Error(await answer.text());
const launched = (await answer.json()) as BrowserAnswer;

/** Skipped if there is no Chromium, which the run reports at its end. */
export const test = "missing" in launched ? vitestTest.skip : vitestTest;
/** A story that the short form of `npm test` leaves out: it has one for each page. */
export const testInAll = ALL ? test : vitestTest.skip;

export const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;
export type Device = keyof typeof devices;

export interface Visit {
  readonly device?: Device;
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
  /** of the computer; without it Berlin */
  readonly timezoneId?: string;
  /** the test moves the clock of the page; the clock of the service is not affected */
  readonly clock?: "moved";
  readonly javaScriptEnabled?: false;
}

/** What happened in the pages of one context, apart from what is visible. */
export interface Watch {
  readonly faults: string[];
  /** all requests with their headers */
  readonly requests: { readonly url: string; readonly method: string; readonly headers: Readonly<Record<string, string>> }[];
  readonly answers: { readonly path: string; readonly status: number }[];
  readonly dialogs: string[];
  /** allows faults that a test causes on purpose */
  expect(fault: RegExp): void;
}

interface OwnWatch extends Watch {
  readonly expected: RegExp[];
}

interface Kept {
  readonly context: BrowserContext;
  /** null: each test opens its own page */
  readonly page: Page | null;
  readonly visit: string;
  readonly prepare: Prepare | undefined;
  /** in use by the running test */
  isTaken: boolean;
}

const watches = new Map<BrowserContext, OwnWatch>();
let kept: Kept[] = [];
let connected: Promise<Browser> | undefined;

/** For one test file: closes the contexts of its tests, and fails tests whose pages had faults. */
export function testBrowser(): void {
  // A ceremony has thirty steps, and the cores may be busy with other tests.
  vi.setConfig({ testTimeout: 90_000 });
  afterEach(async ({ task }) => {
    // A page of a failed test is not reused.
    if (task.result?.state === "fail") kept = kept.filter(({ isTaken }) => !isTaken);
    const taken = kept.filter(({ isTaken }) => isTaken);
    const isKept = (context: BrowserContext) => kept.some((one) => one.context === context);
    await Promise.all([...watches.keys()].filter((context) => !isKept(context)).map((context) => context.close()));
    await Promise.all(taken.map(reset));
    for (const one of taken) one.isTaken = false;
    const seen = [...watches].map(([context, watch]) => {
      if (!isKept(context)) watches.delete(context);
      return { faults: watch.faults.splice(0), dialogs: watch.dialogs.splice(0), expected: watch.expected.splice(0) };
    });
    for (const { requests, answers } of watches.values()) [requests.length, answers.length] = [0, 0];
    for (const { faults, dialogs, expected } of seen) {
      expect(faults.filter((fault) => !expected.some((one) => one.test(fault)))).toEqual([]);
      expect(dialogs).toEqual([]);
    }
  });
  afterAll(async () => {
    const browser = await connected;
    connected = undefined;
    kept = [];
    watches.clear();
    await browser?.close();
    vi.resetConfig();
  });
}

/** Resets a context for the next test. Its clock may stay ahead. */
async function reset({ context, page }: Kept): Promise<void> {
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  if (page === null) {
    await Promise.all([context.clearCookies(), context.unrouteAll({ behavior: "ignoreErrors" })]);
    return;
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
}

// Elements normally appear immediately, but the cores may be busy with other tests.
const TIMEOUT_MS = 20_000;
export const expect = playwrightExpect.configure({ timeout: TIMEOUT_MS });
/** for `expect.poll`: most conditions are met by the second attempt */
export const OFTEN = { intervals: [20, 50, 100] };

/** A context for one test, closed after it. Its pages may only send requests to these origins. */
export async function newContext(origins: readonly string[], visit: Visit = {}): Promise<BrowserContext> {
  if ("missing" in launched) throw new Error(launched.missing);
  connected ??= chromium.connect(launched.endpoint);
  const browser = await connected;
  const { device = "desktop", locale = language, clock, ...look } = visit;
  const context = await browser.newContext({ ...devices[device], locale, timezoneId: "Europe/Berlin", reducedMotion: "reduce", ...look });
  context.setDefaultTimeout(TIMEOUT_MS);
  await watch(context, origins);
  await shake(context);
  if (clock !== undefined) await context.clock.install();
  return context;
}

/** prepares a context before its first page */
export type Prepare = (context: BrowserContext) => Promise<unknown>;

interface Wish {
  readonly origins: readonly string[];
  readonly visit?: Visit | undefined;
  readonly prepare?: Prepare;
}

/**
 * A page that the tests of a file share one after the other, because opening one takes longer than most tests. Our pages store data per
 * document, so tests do not affect each other. A test that chooses a language needs its own context.
 */
export async function keptPage(wish: Wish): Promise<Page> {
  return (await keep(wish, (context) => context.newPage())).page ?? fail("kept without a page");
}

/** A shared context for tests that open their own pages. Cookies are cleared between tests. */
export async function keptContext(wish: Wish): Promise<BrowserContext> {
  return (await keep(wish, async () => null)).context;
}

async function keep({ origins, visit = {}, prepare }: Wish, open: (context: BrowserContext) => Promise<Page | null>): Promise<Kept> {
  const key = JSON.stringify([origins, visit]);
  const known = kept.find((one) => one.visit === key && one.prepare === prepare && !one.isTaken);
  if (known !== undefined) {
    known.isTaken = true;
    return known;
  }
  const context = await newContext(origins, visit);
  await prepare?.(context);
  const one = { context, page: await open(context), visit: key, prepare, isTaken: true };
  kept.push(one);
  return one;
}

export function watchOf(context: BrowserContext): Watch {
  return watches.get(context) ?? fail("not a context of this test");
}

// The browser logs this for every 4xx answer. The page handles them.
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

async function watch(context: BrowserContext, origins: readonly string[]): Promise<void> {
  const expected: RegExp[] = [];
  const expectFault = (fault: RegExp) => void expected.push(fault);
  const seen: OwnWatch = { faults: [], requests: [], answers: [], dialogs: [], expected, expect: expectFault };
  watches.set(context, seen);
  // The browser's own message about violations differs between versions.
  const report = "console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)";
  const content = `addEventListener("securitypolicyviolation", (event) => ${report}, true)`;
  await context.addInitScript({ content });
  context.on("console", (message) => {
    if (message.type() === "error" && !REFUSED.test(message.text()))
      seen.faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => void seen.faults.push(`script: ${error.error().stack ?? error.error().message}`));
  context.on("dialog", async (dialog) => {
    // The question whether to leave the page, which tests do.
    if (dialog.type() === "beforeunload") return dialog.accept();
    seen.dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  context.on("response", (response) => void seen.answers.push({ path: new URL(response.url()).pathname, status: response.status() }));
  context.on("request", (request) => {
    const url = request.url();
    seen.requests.push({ url, method: request.method(), headers: request.headers() });
    if (/^(blob|data|about):/.test(url)) return;
    if (!origins.includes(new URL(url).origin)) seen.faults.push(`request: ${url}`);
  });
}

export function fail(what: string): never {
  throw new Error(what);
}

export type { BrowserContext, Locator, Page, Route };
