export function StepButtons({ onBack }: { onBack: () => void }) {
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
