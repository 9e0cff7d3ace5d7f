import type { Page } from "./browser.ts";

/** What a screen reader speaks, taken from the accessibility tree that the browser gives it. */

interface Told {
  readonly value?: unknown;
}
interface Node {
  readonly role?: Told;
  readonly name?: Told;
  readonly value?: Told;
  readonly description?: Told;
  readonly properties?: readonly { readonly name: string; readonly value: Told }[];
}

const STATES = ["required", "invalid", "checked", "pressed", "disabled", "expanded"];

/** The focused element: role, name, value, description and states. */
export async function spoken(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", { expression: "document.activeElement" });
  const { nodes } = await session.send("Accessibility.getPartialAXTree", { objectId: result.objectId ?? "", fetchRelatives: false });
  await session.detach();
  const [node]: Node[] = nodes;
  const states = (node?.properties ?? []).flatMap(({ name, value: { value } }) =>
    !STATES.includes(name) || value === false || value === "false" ? [] : [value === true || value === "true" ? name : `${name} ${value}`],
  );
  const parts = [node?.role?.value, node?.name?.value, node?.value?.value, node?.description?.value, ...states];
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}
