/** On to the next step, or back to the one before. */
export function Moves({ onBack }: { onBack: () => void }) {
  return (
    <div class="buttons">
      <button type="submit" class="button primary">
        Continue
      </button>
      <button type="button" class="button" onClick={onBack}>
        Back
      </button>
    </div>
  );
}
