/**
 * Whether a form looks as if no person had filled it in: the field that people do not see has something in it, or it came
 * back sooner than anybody can type. Such a form is shown again as it was, so whom it wrongs sends it once more.
 *
 * @category predicates
 */
export const isSpam = (
  form: Readonly<Record<string, string>>,
  { leastSeconds, now }: { readonly leastSeconds: number; readonly now: number }
): boolean => {
  if ((form["website"] ?? "") !== "") return true
  const shown = Number(form["shown"])
  return !Number.isFinite(shown) || now - shown < leastSeconds
}
