// What a release says about the packages in it: their licences, and a bill of materials.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** @typedef {import("./packages.mjs").Package} Package */

/** CONTRIBUTING.md names them. MIT-0 is MIT without the duty to repeat the notice. */
export const ALLOWED_LICENCES = [
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Python-2.0",
];

/** @param {string} root @param {readonly Package[]} packages */
export function licenceTexts(root, packages) {
  const parts = packages.map(({ path, name, version, license }) => `${name} ${version} (${license})\n\n${textOf(root + path)}`);
  return `Countersign contains, or installs for one platform, these packages of others.\n\n${parts.join(`\n${"-".repeat(78)}\n\n`)}`;
}

/** The licence and notice files of a package, as they are. @param {string} folder */
function textOf(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)) : [];
  if (names.length === 0)
    return "Its package has no file with the text of its licence, or is not for the platform on which this list was made.\n";
  return names.map((name) => `${readFileSync(`${folder}/${name}`, "utf8").trim()}\n`).join("\n");
}

/**
 * CycloneDX 1.6. The serial number follows from the content, so that the same release has the same file.
 * @param {{ version: string, license: string, description: string }} product @param {readonly Package[]} packages
 */
export function billOfMaterials(product, packages) {
  const components = packages.map(({ name, version, license, integrity, inside }) => ({
    type: "library",
    "bom-ref": `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(name.startsWith("@") ? { group: name.split("/")[0], name: name.split("/")[1] } : { name }),
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: license } }],
    hashes: hashesOf(integrity),
    // A copy has no hash of its own: it is part of another package's file.
    ...(inside !== undefined && { properties: [{ name: "countersign:copied-inside", value: inside }] }),
  }));
  // A package that is installed twice, in two folders, is one component.
  const unique = [...new Map(components.map((one) => [one["bom-ref"], one])).values()];
  const ref = `pkg:npm/countersign@${product.version}`;
  const metadata = {
    component: {
      type: "application",
      "bom-ref": ref,
      name: "countersign",
      purl: ref,
      ...product,
      license: undefined,
      licenses: [{ license: { id: product.license } }],
    },
  };
  const dependencies = [{ ref, dependsOn: unique.map((one) => one["bom-ref"]) }];
  const body = { metadata, components: unique, dependencies };
  const digest = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: `urn:uuid:${uuid}`, version: 1 };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

/** @param {string} integrity as npm writes it: algorithm and base64 */
function hashesOf(integrity) {
  const [, algorithm, value] = /^sha(1|512)-(.+)$/.exec(integrity) ?? [];
  if (algorithm === undefined || value === undefined) return [];
  return [{ alg: `SHA-${algorithm}`, content: Buffer.from(value, "base64").toString("hex") }];
}
