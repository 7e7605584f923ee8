import type { Mail } from "./Mailer.ts"
import { toSingleLine } from "./toSingleLine.ts"

/** The fonts for all emails: the device's system fonts. */
export const mailFontStyle = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

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

const font = `${mailFontStyle};font-size:16px;line-height:24px;word-break:break-word`

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
      html`<p>${linkifyUrls(text, ["https://", "http://"])}</p>
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
const linkifyUrls = (text: string, prefixes: ReadonlyArray<string>): Html =>
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

/** A file linked instead of attached. */
export interface AttachmentLink {
  readonly name: string
  /** The size in bytes. */
  readonly size: number
  readonly url: string
}

/**
 * Renders the email with a personal message to a guest. It contains only the text, links to files, and a signature, in
 * that order, so that it looks personal. Every line of the text is kept, and no part is treated as markup.
 */
export const renderMessageMail = (
  body: string,
  closingLines: ReadonlyArray<string>,
  files: ReadonlyArray<AttachmentLink> = [],
  link?: { readonly label: string; readonly url: string },
  /**
   * The prefixes of the outfitter's own URLs, which become links. Other URLs do not become links, because a guest or a
   * language model may have written them.
   */
  ownUrls: ReadonlyArray<string> = []
): Pick<Mail, "text" | "html"> => {
  const words = plainText(body)
  const lines = closingLines.map(toSingleLine)
  const links = [
    ...files.map((file) => ({ label: fileText(file), url: file.url })),
    ...(link === undefined ? [] : [{ label: toSingleLine(link.label), url: link.url }])
  ]
  return {
    // Two hyphens and a space mark the start of a signature, which mail programs recognize.
    text: [
      words,
      ...links.map(({ label, url }) => `${label}:\n${url}`),
      ["-- ", ...lines].join("\n")
    ].join("\n\n") + "\n",
    // Dim the text with opacity, because no gray is readable on both white and black.
    html: renderPlainMail(
      html`${
        words.split("\n\n").map((paragraph) =>
          html`<p style="white-space:pre-wrap;margin:0 0 16px">${linkifyUrls(paragraph, ownUrls)}</p>`
        )
      }
${links.map(({ label, url }) => html`<p style="margin:0 0 16px"><a href="${url}">${label}</a></p>`)}
<p style="margin:24px 0 0;opacity:.7;font-size:13px;line-height:19px">-- ${lines.map((line) => html`<br>${line}`)}</p>`
    )
  }
}

const fileText = ({ name, size }: AttachmentLink): string => `${toSingleLine(name) || "A file"} (${megabytes(size)} MB)`

/** Returns a size in megabytes, rounded up to one decimal. */
const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024 * 10) / 10

/** Normalizes line breaks, and removes other control characters and unpaired surrogates. */
const plainText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(controls, "").replace(/\n{3,}/g, "\n\n")

// Text direction characters would change how the rest of the text is displayed.
const controls = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
