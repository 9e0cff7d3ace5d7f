type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Returns a function that picks the plural form for a number in the given language. */
export function pluralRules(locale: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  return (n, forms) => forms[rules.select(n)] ?? forms.other;
}
