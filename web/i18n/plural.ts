type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Which of the forms a number takes in a language. */
export function plural(locale: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  return (n, forms) => forms[rules.select(n)] ?? forms.other;
}
