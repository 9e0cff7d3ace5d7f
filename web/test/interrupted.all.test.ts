import type { RequestListener } from "node:http";
import { expect, OFTEN, type Page, type Route, test, watchOf } from "./browser.ts";
import { lease } from "./documents.ts";
import { adoptTyped, agree, button, dialog, field, firstPageThere, placeToSign, saved, sign, signed, title } from "./person.ts";
import { buyer, landlord, type Sent, tenant, testSigning } from "./signing.ts";
import { de, en } from "./words.ts";

/** Interruptions: reloads, lost connections, second tabs and double clicks. */

const signing = await testSigning();

/** Opens the review of a filled-in order. */
async function openReview(sent: Sent): Promise<Page> {
  const page = await signing.open(await sent.link(buyer.email));
  await button(page, en.review).click();
  await title(page, en.reviewTitle).waitFor();
  return page;
}

async function signaturesOf({ key, envelope_id }: Sent): Promise<number> {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=100`);
  return json.data.filter(({ type }: { type: string }) => type === "signature.applied").length;
}

test("a page that is reloaded at any step continues where it was", async () => {
  const sent = await signing.send();
  const page = await signing.open(await sent.embedUrl(buyer.email));
  await page.reload();
  await agree(page);
  await page.reload();
  await field(page, "Full name").fill("Ann Example");
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann Example");
  await placeToSign(page, "Buyer signature").click();
  await adoptTyped(page, "signature", "Ann Example");
  await expect(title(page, en.reviewTitle)).toBeVisible();
  await page.reload();
  await expect(signed(page, "Buyer signature")).toBeVisible();
  await button(page, en.review).click();
  await sign(page);
});

test.each([
  ["arrives while the signature is chosen", false],
  ["was read before the signature was saved and arrives after it", true],
])("a signature stays where it was put if a state of the document %s", async (_when, isOld) => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.newPage();
  await page.goto(await sent.link(buyer.email));
  await field(page, "Full name").fill("Ann Example");
  await expect(saved(page)).toBeVisible();
  const languages = (name: string) => page.getByRole("combobox", { name });
  await button(page, en.menu).click();
  await languages(en.language).selectOption("de");
  await expect(title(page, de.fieldsTitle)).toBeVisible();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const state = /\?lang=en$/;
  const readByService = new Promise<void>((resolve) => {
    void page.route(
      state,
      async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
  });
  await languages(de.language).selectOption("en");
  await readByService;
  const arrived = page.waitForResponse(state);
  await placeToSign(page, "Buyer signature").click();
  if (!isOld) {
    await dialog(page, en.adoptTitle.signature).waitFor();
    release();
    await arrived;
  }
  await adoptTyped(page, "signature", "Ann Example");
  release();
  await arrived;
  await sign(page);
  await expect.poll(() => signaturesOf(sent), OFTEN).toBe(1);
});

test("a person who goes to another field while the last one is saved stays there", async () => {
  const sent = await signing.send({ document: lease, signers: [tenant, landlord] });
  await sent.agreed(tenant.email);
  const page = await signing.open(await sent.link(tenant.email));
  await firstPageThere(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/fields", async (route) => {
    await held;
    await route.continue();
  });
  await field(page, "Full name").fill("Ann Example");
  await field(page, "Full name").press("Enter");
  await field(page, "Remarks").focus();
  const answered = page.waitForResponse("**/fields");
  release();
  await answered;
  await expect(saved(page)).toBeVisible();
  await expect(field(page, "Remarks")).toBeFocused();
});

/** Waits for the save that a closed page has sent. A page that is opened right after may read the state before it. */
async function draftSaved(sent: Sent): Promise<void> {
  const slug = await sent.slug(buyer.email);
  const drafts = () => signing.service.database.owner("select from signing_drafts where slug = $1 and revision > 0", [slug]);
  await expect.poll(async () => (await drafts()).length, OFTEN).toBe(1);
}

test("what is typed right before the page is closed is saved", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email));
  await field(page, "Full name").fill("Ann in a hurry");
  await page.goto("about:blank");
  await draftSaved(sent);
  await page.goto(await sent.link(buyer.email));
  await expect(field(page, "Full name")).toHaveValue("Ann in a hurry");
});

/**
 * Drops the next request for this path on the server. The interception of the browser would not do: a closing page cancels intercepted
 * requests.
 */
function loseNext(path: string): Promise<void> {
  const { server } = signing.service.app;
  const serve = server.listeners("request") as RequestListener[];
  return new Promise((lost) => {
    server.removeAllListeners("request").on("request", (request, response) => {
      if (!request.url?.endsWith(path)) return void serve.forEach((listener) => void listener(request, response));
      server.removeAllListeners("request");
      for (const listener of serve) server.on("request", listener);
      lost();
    });
  });
}

test("a save that is in flight when the page is closed is sent again", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email));
  const isLost = loseNext("/fields");
  await field(page, "Full name").fill("Ann on the way");
  await isLost;
  await page.goto("about:blank");
  await draftSaved(sent);
  await page.goto(await sent.link(buyer.email));
  await expect(field(page, "Full name")).toHaveValue("Ann on the way");
});

test("with two tabs the last change counts, and no one signs values that they have not seen", async () => {
  const sent = await signing.send();
  await sent.filled(buyer.email);
  const one = await openReview(sent);
  const other = await one.context().newPage();
  await other.goto(await sent.link(buyer.email));
  await expect(field(other, "Full name")).toHaveValue("Ann Example");
  await field(other, "Full name").fill("Ann B. Example");
  await field(other, "Full name").blur();
  await expect(saved(other)).toBeVisible();
  await one.bringToFront();
  await button(one, en.sign).click();
  await expect(one.getByText(en.notSigned.stale)).toBeVisible();
  expect(await sent.status()).toBe("viewed");
  await expect(one.getByText("Ann B. Example").or(field(one, "Full name")).first()).toBeVisible();
});

test("without a connection no entry is lost", async () => {
  const sent = await signing.send();
  await sent.agreed(buyer.email);
  const page = await signing.open(await sent.link(buyer.email));
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  await firstPageThere(page);
  await page.context().setOffline(true);
  await field(page, "Full name").fill("Ann on a train");
  await expect(page.getByText(en.notSaved).or(page.getByText(en.offline)).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, "Full name")).toHaveValue("Ann on a train");
});

test("the page says that the document is signed although the connection ends with the answer", async () => {
  const sent = await signing.send();
  await sent.filled(buyer.email);
  const page = await openReview(sent);
  watchOf(page.context()).expect(/ERR_INTERNET_DISCONNECTED/);
  const scripts = () => page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length);
  const before = await scripts();
  await page.route("**/complete", async (route) => {
    const answer = await route.fetch();
    await expect.poll(scripts).toBeGreaterThan(before);
    await page.context().setOffline(true);
    await route.fulfill({ response: answer });
  });
  await button(page, en.sign).click();
  await expect(title(page, en.doneTitle)).toBeVisible();
  await page.context().setOffline(false);
});

test("a double click on Sign signs once", async () => {
  const sent = await signing.send();
  await sent.filled(buyer.email);
  const page = await openReview(sent);
  await button(page, en.sign).dblclick();
  await expect(title(page, en.doneTitle)).toBeVisible();
  expect(await signaturesOf(sent)).toBe(1);
  const completions = watchOf(page.context()).requests.filter(({ url }) => url.endsWith("/complete"));
  expect(new Set(completions.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

/** Where the line is cut while the signature is sent. Each returns what repairs it. */
const cuts: Record<string, (page: Page) => Promise<() => Promise<unknown>>> = {
  "before it": async (page) => {
    await page.context().setOffline(true);
    return () => page.context().setOffline(false);
  },
  "before the request arrives": (page) => cutComplete(page, (route) => route.abort()),
  "after the request arrived": (page) =>
    cutComplete(page, async (route) => {
      await route.fetch();
      await route.abort();
    }),
  "in the middle of the answer": (page) =>
    cutComplete(page, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).slice(0, 20) });
    }),
  "by a server that is going down": (page) => cutComplete(page, (route) => route.fulfill({ status: 503, body: "" })),
};

/** Until it is repaired, each attempt is cut, and reading the state fails too. */
async function cutComplete(page: Page, cut: (route: Route) => Promise<void>): Promise<() => Promise<unknown>> {
  const state = /\/embed\/sign\/env_\w+\?/;
  await page.route("**/complete", cut);
  await page.route(state, (route) => route.abort());
  return () => Promise.all([page.unroute("**/complete"), page.unroute(state)]);
}

test.each(Object.keys(cuts))(
  "a line that is cut %s: the page says that it is sending, until it knows that the document is signed once",
  async (when) => {
    const sent = await signing.send();
    await sent.filled(buyer.email);
    const page = await openReview(sent);
    watchOf(page.context()).expect(/ERR_FAILED|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|503/);
    const repair = await cuts[when]?.(page);
    await button(page, en.sign).click();
    await expect(page.getByText(en.sending.again)).toBeVisible();
    await expect(title(page, en.doneTitle)).toBeHidden();
    for (const name of [en.back, en.sending.first, en.reviewChange("Full name")]) await expect(button(page, name)).toBeDisabled();
    await repair?.();
    await expect(title(page, en.doneTitle)).toBeVisible();
    expect([await sent.status(), await signaturesOf(sent)]).toEqual(["completed", 1]);
    const keys = watchOf(page.context()).requests.filter(({ url }) => url.endsWith("/complete"));
    expect(new Set(keys.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  },
);

test("a line that is cut after the answer: the page says that the document is signed, and reads the rest later", async () => {
  const sent = await signing.send();
  await sent.filled(buyer.email);
  const page = await openReview(sent);
  watchOf(page.context()).expect(/ERR_FAILED/);
  const repair = await cutComplete(page, (route) => route.continue());
  await button(page, en.sign).click();
  await expect(title(page, en.doneTitle)).toBeVisible();
  await expect(page.getByText(en.offline)).toBeVisible();
  await repair();
  await expect(button(page, en.download)).toBeVisible();
});

test("a page that is reloaded while the signature is on its way says that the document is not signed, and why", async () => {
  const sent = await signing.send();
  await sent.filled(buyer.email);
  const page = await openReview(sent);
  watchOf(page.context()).expect(/ERR_FAILED/);
  await page.route("**/complete", (route) => route.abort());
  await button(page, en.sign).click();
  await expect(page.getByText(en.sending.again)).toBeVisible();
  await page.reload();
  await expect(page.getByText(en.notSigned.interrupted)).toBeVisible();
  expect(await signaturesOf(sent)).toBe(0);
  await page.unroute("**/complete");
  await button(page, en.review).click();
  await expect(page.getByText(en.notSigned.interrupted)).toBeHidden();
  await sign(page);
});
