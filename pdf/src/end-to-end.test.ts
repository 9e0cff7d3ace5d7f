// Runs one document through the package's API, in the order of the README.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage } from "../fixtures/pages.ts";
import { writePdf } from "../fixtures/writer.ts";
import {
  createBudget,
  findAnchors,
  findTags,
  openPdf,
  pageText,
  placeSeal,
  removeTags,
  renderPage,
  roomFor,
  sanitize,
  save,
  seal,
  verifySeals,
} from "./index.ts";

const CONTENT = "BT /F1 12 Tf 72 700 Td (Sign here: {{Signature;role=Buyer;type=signature}} by Friday) Tj ET";

test("a contract with a script and a tag is cleaned, searched, stripped of its tag, rendered, sealed and verified", async () => {
  const upload = writePdf(onePage({ content: CONTENT, catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" }));
  const { doc, removed } = await sanitize(await openPdf(upload, createBudget()));
  expect(removed).toEqual({ "OpenAction/JavaScript": 1 });

  const [anchor] = findAnchors(doc, [{ anchor_text: "sign  HERE" }]);
  expect(anchor).toMatchObject({ found: true, page: 1, matches: 1 });
  const { fields, roles, spans, faults } = findTags(doc);
  expect([fields.map(({ name, type, role }) => ({ name, type, role })), roles, faults]).toEqual([
    [{ name: "Signature", type: "signature", role: "Buyer" }],
    ["Buyer"],
    [],
  ]);

  expect(removeTags(doc, spans)).toMatchObject({ removed: 1 });
  const prepared = await save(doc);
  const { blocks } = await pageText(prepared, 1);
  expect(blocks.join(" ")).toMatch(/Sign here:\s+by Friday/);
  expect(Buffer.from(prepared).toString("latin1")).not.toMatch(/JavaScript|app\.alert|\{\{/);
  expect(await renderPage(prepared, 1, 1224)).toMatchObject({ mime: "image/png", w: 1224, h: 1584 });

  const org = await makeOrg();
  const certificates = [org.seal.certificate];
  const placed = await placeSeal(prepared, {
    name: "Acme",
    reason: "Signed",
    at: NOW,
    room: roomFor(certificates, false),
    marker: randomBytes(32),
  });
  const sealed = await seal(placed, { certificates, sign: org.sign });
  const trusted = { roots: [org.root.certificate], at: NOW };
  expect(await verifySeals(sealed.bytes, trusted)).toMatchObject([{ intact: true, trusted: true, covers_whole_file: true }]);
  const altered = Uint8Array.from(sealed.bytes);
  const at = Buffer.from(altered).lastIndexOf("(Signed)") + 1;
  altered[at] = "R".charCodeAt(0);
  expect((await verifySeals(altered, trusted))[0]).toMatchObject({ intact: false, trusted: false });
});
