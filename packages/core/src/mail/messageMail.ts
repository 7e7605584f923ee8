/**
 * What a person wrote to a guest, as a mail: their words and little else, so that it
 * reads as what it is.
 */
import { html } from "./html.ts"
import { oneLine } from "./oneLine.ts"

/**
 * @category models
 */
export interface MessageMail {
  readonly text: string
  readonly html: string
}

/**
 * Words with a signature. Of words that others wrote no line is left out, and none of
 * them is markup.
 *
 * @category converting
 */
export const messageMail = (body: string, closing: ReadonlyArray<string>): MessageMail => {
  const words = plainText(body)
  const lines = closing.map(oneLine)
  return {
    // Two hyphens and a blank begin a signature, which mail programs set apart.
    text: [words, ["-- ", ...lines].join("\n")].join("\n\n") + "\n",
    // Set back by opacity: one gray cannot be read on white and on black.
    html: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
</head>
<body style="${font}">
${words.split("\n\n").map((paragraph) => html`<p style="white-space:pre-wrap;margin:0 0 16px">${paragraph}</p>`)}
<p style="margin:24px 0 0;opacity:.7;font-size:13px;line-height:19px">-- ${lines.map((line) => html`<br>${line}`)}</p>
</body>
</html>
`.markup
  }
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;" +
  "line-height:24px;word-break:break-word"

/** Line breaks of one kind, no other controls, and no half characters. */
const plainText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(controls, "").replace(/\n{3,}/g, "\n\n")

// Turned writing directions would make what follows the words read otherwise.
const controls = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
