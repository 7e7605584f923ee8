/** Trusted markup. A plain string is never treated as markup. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/**
 * Creates markup. String values are escaped, both for elements and for quoted attributes, so user input is always
 * escaped.
 */
export const html = (template: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(template.map((literal, index) => literal + markupOf(values[index] ?? "")).join(""))

/** Creates markup from text. A URL becomes a link if it equals one of `prefixes` or is below one of them. */
export const linkUrls = (text: string, prefixes: ReadonlyArray<string>): Html =>
  new Html(
    text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,:;!?)])/).map((part, at) =>
      at % 2 === 0 || !prefixes.some((prefix) => part === prefix || part.startsWith(prefix.replace(/(?<!\/)$/, "/")))
        ? markupOf(part)
        : html`<a href="${part}">${part}</a>`.markup
    ).join("")
  )

type Value = string | Html | ReadonlyArray<Html>

const markupOf = (value: Value): string => {
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join("\n")
}
