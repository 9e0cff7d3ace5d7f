import { consoleWeight, pageWeight } from "../web/browser/weight.mjs";
import { atMost } from "./figure.mjs";

// Kilobytes of 1000 bytes, as is usual for web pages.
const parts = /** @type {const} */ ([
  ["js", "signing page JavaScript, up to the signature", 34],
  ["css", "signing page CSS", 8],
  ["shell", "signing page shell with its script", 6],
  ["language", "largest further language", 4],
]);

const consoleParts = /** @type {const} */ ([
  ["login", "console JavaScript at login", 30],
  ["screen", "console: the largest screen, more than login", 25],
  ["fields", "console: the wizard's step with the builder, more than login", 25],
  ["builder", "console: the builder of fields", 20],
]);

/**
 * S8: the size of the signing page and the console, gzip -9.
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureWeight() {
  const weight = pageWeight();
  const sizeOf = (/** @type {number} */ bytes) => ({ measured: `${(bytes / 1000).toFixed(1)} KB`, values: { bytes } });
  const ofConsole = consoleWeight();
  return [
    ...parts.map(([part, name, goal]) => ({
      id: "S8",
      name,
      ...sizeOf(weight[part]),
      goal: `<= ${goal} KB`,
      verdict: atMost(weight[part] / 1000, goal),
    })),
    ...consoleParts.map(([part, name, goal]) => ({
      id: "S8",
      name,
      ...sizeOf(ofConsole[part]),
      goal: `<= ${goal} KB`,
      verdict: atMost(ofConsole[part] / 1000, goal),
    })),
    { id: "S8", name: "including all optional parts", ...sizeOf(weight.all_js), goal: "", verdict: "info" },
  ];
}
