/** The fonts for all emails: the device's system fonts. */
export const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Renders an unstyled email with the reader's default background, like an email written by a person. */
export const renderPlainMail = (body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
</head>
<body style="${font}">
${body}
</body>
</html>
`.markup

const font = `${fonts};font-size:16px;line-height:24px;word-break:break-word`

/** Renders a short email to a staff member. It consists of a sentence, a button with a URL, and additional notes. */
export const renderButtonMail = ({ button, closing, lead, rest, url }: {
  readonly lead: string
  readonly button: string
  readonly url: string
  readonly rest: ReadonlyArray<string>
  readonly closing: string
}): { readonly text: string; readonly html: string } => ({
  text: [lead, url, ...rest, closing].join("\n\n") + "\n",
  html: renderPlainMail(html`<p>${lead}</p>
<p><a href="${url}" style="${style}">${button}</a></p>
${
    rest.map((text) =>
      html`<p>${linkUrls(text, ["https://", "http://"])}</p>
`
    )
  }<p style="opacity:.7">${closing}</p>`)
})

const style = "display:inline-block;padding:12px 24px;border-radius:8px;background:#1f5f46;color:#ffffff;" +
  "text-decoration:none;font-weight:600"

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

/** Creates markup from text. A URL becomes a link if it equals one of `prefixes` or is under one of them. */
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
