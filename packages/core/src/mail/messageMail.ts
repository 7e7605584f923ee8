/**
 * What a person wrote to a guest, as a mail: their words and little else, so that it
 * reads as what it is.
 */
import { html } from "./html.ts"
import type { Mail } from "./Mailer.ts"
import { plainMail } from "./plainMail.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

/**
 * A file that does not travel, and where it is.
 *
 * @category models
 */
export interface LinkedFile {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly url: string
}

/**
 * Words with a signature, and links to files between them. Of words that others wrote no line is left out, and none of
 * them is markup.
 *
 * @category converting
 */
export const messageMail = (
  body: string,
  closing: ReadonlyArray<string>,
  files: ReadonlyArray<LinkedFile> = [],
  link?: { readonly label: string; readonly url: string }
): Pick<Mail, "text" | "html"> => {
  const words = plainText(body)
  const lines = closing.map(toSingleLine)
  const links = [
    ...files.map((file) => ({ label: called(file), url: file.url })),
    ...(link === undefined ? [] : [{ label: toSingleLine(link.label), url: link.url }])
  ]
  return {
    // Two hyphens and a blank begin a signature, which mail programs set apart.
    text: [
      words,
      ...links.map(({ label, url }) => `${label}:\n${url}`),
      ["-- ", ...lines].join("\n")
    ].join("\n\n") + "\n",
    // Set back by opacity: one gray cannot be read on white and on black.
    html: plainMail(
      html`${
        words.split("\n\n").map((paragraph) => html`<p style="white-space:pre-wrap;margin:0 0 16px">${paragraph}</p>`)
      }
${links.map(({ label, url }) => html`<p style="margin:0 0 16px"><a href="${url}">${label}</a></p>`)}
<p style="margin:24px 0 0;opacity:.7;font-size:13px;line-height:19px">-- ${lines.map((line) => html`<br>${line}`)}</p>`
    )
  }
}

const called = ({ name, size }: LinkedFile): string => `${toSingleLine(name) || "A file"} (${megabytes(size)} MB)`

/** At least a tenth, rounded up. */
const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024 * 10) / 10

/** Line breaks of one kind, no other controls, and no half characters. */
const plainText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(controls, "").replace(/\n{3,}/g, "\n\n")

// Turned writing directions would make what follows the words read otherwise.
const controls = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
