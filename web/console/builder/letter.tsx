/** Drawn by the style sheet, because screen readers read the role's name instead. */
export const Letter = ({ letter }: { letter: string }) => <span class="box-letter" data-letter={letter} />;
