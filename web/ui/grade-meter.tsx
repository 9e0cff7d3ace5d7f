interface GradeMeterProps {
  /** how many checks have which grade, in the order to show */
  readonly counts: readonly { readonly grade: string; readonly count: number }[];
}

/** What the checks of an evaluation rest on, one segment each. The caller puts the same into words beside it. */
export function GradeMeter({ counts }: GradeMeterProps) {
  const segments = counts.flatMap(({ grade, count }) => Array.from({ length: count }, () => grade));
  return (
    <div class="grade-meter" aria-hidden="true">
      {segments.map((grade, index) => (
        <span key={index} class={grade} />
      ))}
    </div>
  );
}
