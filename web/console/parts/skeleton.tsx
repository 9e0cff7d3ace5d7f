import { en } from "../words/parts/en.ts";

/** Stands where the content will be. Screen readers hear "Loading" once. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden-visually">{en.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="skeleton-row" aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
