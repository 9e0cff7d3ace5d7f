// What the changelog says to integrators, as a page and as an Atom feed.
import { createHash } from "node:crypto";
import { escaped } from "./html.mjs";

/** @typedef {{ name: string, day: string | null, markdown: string }} Version day: of the release, null if it is not released */

/** The lists "For integrators" of each version: of what to do, and of what has changed. @param {string} source CHANGELOG.md @returns {readonly Version[]} */
export function integratorVersions(source) {
  const sections = source.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const [, name = heading, day = null] = /^(\S+) \((\d{4}-\d{2}-\d{2})\)$/.exec(heading.trim()) ?? [];
    const body = lines.join("\n");
    const todo = /^For integrators:\n((?:- .*\n| {2}.*\n)+)/m.exec(body)?.[1] ?? "";
    const news = /^\*\*For integrators\*\*\n((?:- .*\n| {2}.*\n)+)/m.exec(`${body}\n`)?.[1] ?? "";
    const parts = [
      ...(todo === "" ? [] : [`**Do this**\n\n${todo}`]),
      ...(news === "" ? [] : [`${todo === "" ? "" : "**What changed**\n\n"}${news}`]),
    ];
    return parts.length === 0 ? [] : [{ name: name.trim(), day, markdown: parts.join("\n") }];
  });
}

/** @param {readonly Version[]} versions */
export function changelogMarkdown(versions) {
  const sections = versions.map(({ name, day, markdown }) => `## ${name}${day === null ? "" : ` (${day})`}\n\n${markdown}`);
  return `# Changelog for integrators\n\nWhat changed in the API, its clients and its events, and what to do. Operators find the whole changelog in \`CHANGELOG.md\` of the release.\n\n${sections.join("\n\n")}`;
}

/** RFC 4287. Versions that are not released have no date, so they are not in the feed. @param {readonly Version[]} versions @param {(markdown: string) => string} render */
export function atomFeed(versions, render) {
  const released = versions.filter(({ day }) => day !== null);
  const entries = released.map(
    ({ name, day, markdown }) => `  <entry>
    <id>${idOf(`changelog ${name}`)}</id>
    <title>Countersign ${escaped(name)}: changes for integrators</title>
    <updated>${day}T00:00:00Z</updated>
    <link rel="alternate" type="text/html" href="changelog#${encodeURIComponent(
      `${name} (${day})`
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    )}"/>
    <content type="html">${escaped(render(markdown))}</content>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${idOf("changelog")}</id>
  <title>Countersign: changes for integrators</title>
  <updated>${released[0]?.day ?? "1970-01-01"}T00:00:00Z</updated>
  <author><name>Countersign</name></author>
  <link rel="self" type="application/atom+xml" href="changelog.atom"/>
  <link rel="alternate" type="text/html" href="changelog"/>
${entries.join("")}</feed>
`;
}

/** The same for the same name, on every instance. @param {string} name */
function idOf(name) {
  const digest = createHash("sha256").update(`countersign ${name}`).digest("hex");
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
