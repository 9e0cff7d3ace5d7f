import { en } from "../words/deposit/en.ts";

const w = en.stepButtons;
export function StepButtons({ onBack }: { onBack: () => void }) {
  return (
    <div class="buttons">
      <button type="submit" class="button primary">
        {w.continue}
      </button>
      <button type="button" class="button" onClick={onBack}>
        {w.back}
      </button>
    </div>
  );
}
