/** Written by the style sheet: to those who hear it the role itself is told. */
export const Letter = ({ letter }: { letter: string }) => <span class="box-letter" data-letter={letter} />;
