import { html, linkUrls } from "./html.ts"
import { plainMail } from "./plainMail.ts"

/** A short email to a staff member: a sentence, a URL as a button, and further notes. */
export const buttonMail = ({ button, closing, lead, rest, url }: {
  readonly lead: string
  readonly button: string
  readonly url: string
  readonly rest: ReadonlyArray<string>
  readonly closing: string
}): { readonly text: string; readonly html: string } => ({
  text: [lead, url, ...rest, closing].join("\n\n") + "\n",
  html: plainMail(html`<p>${lead}</p>
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
