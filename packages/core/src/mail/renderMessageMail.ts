/** The email with a personal message to a guest. It contains little more than the text, so that it looks personal. */
import type { Mail } from "./Mailer.ts"
import { html, linkUrls, renderPlainMail } from "./renderPlainMail.ts"
import { toSingleLine } from "./toSingleLine.ts"

/** A file linked instead of attached. */
export interface LinkedFile {
  readonly name: string
  /** The size in bytes. */
  readonly size: number
  readonly url: string
}

/**
 * Renders text, links to files, and a signature, in that order. Every line of the text is kept, and no part is treated
 * as markup.
 */
export const renderMessageMail = (
  body: string,
  closingLines: ReadonlyArray<string>,
  files: ReadonlyArray<LinkedFile> = [],
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
          html`<p style="white-space:pre-wrap;margin:0 0 16px">${linkUrls(paragraph, ownUrls)}</p>`
        )
      }
${links.map(({ label, url }) => html`<p style="margin:0 0 16px"><a href="${url}">${label}</a></p>`)}
<p style="margin:24px 0 0;opacity:.7;font-size:13px;line-height:19px">-- ${lines.map((line) => html`<br>${line}`)}</p>`
    )
  }
}

const fileText = ({ name, size }: LinkedFile): string => `${toSingleLine(name) || "A file"} (${megabytes(size)} MB)`

/** Returns a size in megabytes, rounded up to one decimal. */
const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024 * 10) / 10

/** Normalizes line breaks, and removes other control characters and unpaired surrogates. */
const plainText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(controls, "").replace(/\n{3,}/g, "\n\n")

// Text direction characters would change how the rest of the text is displayed.
const controls = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu
