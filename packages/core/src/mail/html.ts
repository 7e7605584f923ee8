/**
 * Markup that was written here. A plain string is never taken for it.
 *
 * @category models
 */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/**
 * Markup around values. Strings among the values are escaped, for elements and
 * for attributes in quotes; so nothing that a user typed can be forgotten.
 *
 * @category constructors
 */
export const html = (template: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(template.map((literal, index) => literal + markupOf(values[index] ?? "")).join(""))

type Value = string | Html | ReadonlyArray<Html>

const markupOf = (value: Value): string => {
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join("\n")
}
