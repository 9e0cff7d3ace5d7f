import { tellHost } from "./host/tell-host.ts";
import { isWide } from "./ui/screen-size.ts";

// Beside the pages, the panel is as high as the frame and scrolls. With less than this, little of it would be visible.
const BESIDE_PAGES_MIN_PX = 640;
const BELOW_PX = 32;
// The space above a panel that is alone on the page is at most this.
const ABOVE_PANEL_PX = 96;

/**
 * Tells the host how high the content is, after every change of the page or of its width. Nothing is measured whose height follows that of
 * the frame: a host that adapts its frame would make it grow, and then the frame again.
 */
export function reportHeight(): void {
  let last = 0;
  let isPlanned = false;
  const report = () => {
    isPlanned = false;
    const height = contentHeight();
    if (height === last || height === 0) return;
    last = height;
    tellHost({ type: "height", height });
  };
  const plan = () => {
    if (!isPlanned) requestAnimationFrame(report);
    isPlanned = true;
  };
  new MutationObserver(plan).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("resize", plan);
}

/** 0 while the page is loading. */
function contentHeight(): number {
  const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const [pages, panel] = [boxOf(".pages"), boxOf(".panel-inside")];
  if (!pages && !panel) return 0;
  const end = scrollY + (pages?.bottom ?? (boxOf(".layout")?.top ?? 0) + ABOVE_PANEL_PX);
  // On a small screen the panel covers the end of the pages. The disclosure in it follows the height of the frame.
  const below = (panel?.height ?? 0) - (boxOf(".published")?.height ?? 0);
  const height = pages && isWide.value ? Math.max(end, BESIDE_PAGES_MIN_PX) : end + below;
  return Math.ceil(height + BELOW_PX);
}
