import { chromium } from "@playwright/test";
import { startChromium } from "../web/browser/chromium.mjs";
import { answersAt, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { createOrgs, logIn } from "./offices.mjs";

const READY_WITHIN_SECONDS = 180;

/**
 * A new installation with one office, and a window in which its admin has logged in.
 * @param {import("./harness.mjs").Cleanup} end
 */
export async function openConsole(end) {
  const launched = await startChromium((options) => chromium.launch(options));
  if ("missing" in launched) throw new Error(launched.missing);
  const browser = launched.started;
  end.later(() => browser.close());
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  end.later(() => db.end());
  const passwords = await createOrgs(db, ["office"]);
  const service = startService("start", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const { headers } = await logIn(service.url, "office", passwords);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const url = `${service.url.replace("127.0.0.1", "localhost")}/console`;
  await page.goto(`${url}/`);
  await page.getByLabel("E-mail address").fill("office@example.com");
  await page.getByLabel("Password").fill(passwords.office ?? "");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  return { browser, page, url, api: service.url, headers };
}
