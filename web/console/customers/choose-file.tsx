import { useState } from "preact/hooks";

interface ChooseFileProps {
  readonly onFile: (file: File) => void;
}

/** A CSV file, dropped here or chosen in the browser's file picker. */
export function ChooseFile({ onFile }: ChooseFileProps) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <input
        class="hidden-visually"
        data-next
        type="file"
        accept=".csv,text/csv"
        onChange={(event) => {
          take(event.currentTarget.files);
          // Lets the user choose the same file again after correcting it.
          event.currentTarget.value = "";
        }}
      />
      <span class="button">Choose a CSV file</span>
      <span class="quiet">or drop it here</span>
    </label>
  );
}
