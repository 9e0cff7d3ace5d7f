import { useState } from "preact/hooks";
import { Field } from "../parts/field.tsx";

interface NumberInputProps {
  readonly label: string;
  readonly value: number;
  readonly onNumber: (value: number) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** A number input that reports a value on blur, on Enter or by its arrows. Invalid text is replaced by the current value. */
export function NumberInput({ label, value, onNumber, min = 0, max = 100, step = 0.1 }: NumberInputProps) {
  const [, setRefused] = useState(0);
  const take = (text: string) => {
    const given = Number(text);
    if (text.trim() !== "" && Number.isFinite(given)) onNumber(Math.min(max, Math.max(min, given)));
    setRefused((now) => now + 1);
  };
  return (
    <Field label={label}>
      {(given) => (
        <input
          {...given}
          class="input"
          type="number"
          min={min}
          max={max}
          step={step}
          value={String(value)}
          onChange={(event) => take(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
