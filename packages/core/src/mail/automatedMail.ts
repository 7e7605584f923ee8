import type { Language } from "../wire/Language.ts"
import type { Mail } from "./Mailer.ts"
import { type Html, html, mailFontStyle } from "./renderPlainMail.ts"
import { formatNameForMail } from "./toSingleLine.ts"

/** Creates an automatic email without a reply address and without delivery reports. */
export const makeAutomatedMail = (
  id: string,
  outfitter: string,
  { email, name }: Mail["to"],
  content: Pick<Mail, "subject" | "text" | "html">
): Mail => ({
  id,
  from: { name: outfitter },
  to: { name: formatNameForMail(name), email },
  replyTo: null,
  ...content,
  calendar: null,
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
})

/** Like `makeAutomatedMail`, but also renders the content. */
export const renderAutomatedMail = (id: string, to: Mail["to"], content: MailContent): Mail => ({
  ...makeAutomatedMail(id, content.outfitter, to, {
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content)
  }),
  attachments: content.image === undefined
    ? []
    : [{ name: "image.png", type: "image/png", content: content.image.png, contentId: imageId }]
})

/** Renders an email as plain text that is complete without the HTML. */
const mailText = (content: MailContent): string => {
  const width = Math.max(...content.rows.map(({ label }) => label.length)) + 3
  return [
    content.greeting,
    ...content.paragraphs,
    content.rows.map(({ label, value }) => `${label}:`.padEnd(width) + value).join("\n"),
    ...[content.action, ...content.further].map(linkText),
    content.outfitter,
    // Two hyphens and a space mark the start of a signature, which mail programs recognize.
    ["-- ", ...content.closing].join("\n")
  ].join("\n\n") + "\n"
}

// Formats a link. The URL is on a separate line so that mail programs do not include a period or bracket in it.
const linkText = ({ label, url }: LabeledLink): string => `${label}:\n${url}`

/** The Content-ID of an email's image. */
const imageId = "image@trailbook"

/**
 * Renders an email as HTML. The layout uses tables and inline styles, which even old mail programs support, and no
 * external resources. The style element only adapts the layout to small and dark screens. A program that drops the
 * element shows the light theme.
 */
const mailHtml = (content: MailContent): string => {
  const color = colors[content.news]
  return renderLayout(content, color, [
    html`<h1 class="ink" style="margin:0 0 20px;${makeTextStyle(24, 30)}">${content.heading}</h1>`,
    ...[content.greeting, ...content.paragraphs].map(renderParagraph),
    html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 28px">
${content.rows.map(renderRow)}
</table>`,
    renderButton(content.action, color),
    ...content.image === undefined ? [] : [renderImage(content.image)],
    ...content.further.map(renderTextLink)
  ]).markup
}

// The header colors. White text on each color has a contrast ratio of at least 6:1.
const colors: Record<MailContent["news"], string> = {
  held: "#8a4b00",
  confirmed: "#1f5f46",
  moved: "#1d5580",
  updated: "#1d5580",
  cancelled: "#59605c",
  returned: "#59605c"
}

const textColor = "#1c2521"
const mutedColor = "#59605c"
const pageColor = "#f1f3f0"
const borderColor = "#e2e6e3"
const makeTextStyle = (size: number, height: number, color = textColor) =>
  `font-size:${size}px;line-height:${height}px;color:${color};word-break:break-word`
const tableAttributes = html`role="presentation" width="100%" cellpadding="0" cellspacing="0"`

const renderLayout = (content: MailContent, color: string, body: ReadonlyArray<Html>): Html =>
  html`<!doctype html>
<html lang="${content.language ?? "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${content.subject}</title>
<style>
@media (max-width: 480px) {
  .edge { padding-left: 20px !important; padding-right: 20px !important }
  .label { width: 80px !important }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #121614 !important }
  .card { background-color: #1d2320 !important }
  .ink { color: #f2f5f3 !important }
  .soft { color: #a9b3ae !important }
  .line { border-color: #343c38 !important }
}
</style>
</head>
<body class="page" style="margin:0;background-color:${pageColor};${mailFontStyle}">
${renderPreheader(content)}
<table class="page" ${tableAttributes} style="background-color:${pageColor}">
<tr><td align="center" style="padding:24px 12px">
<table ${tableAttributes} style="max-width:560px">
<tr><td class="edge" bgcolor="${color}" style="padding:16px 32px;border-radius:8px 8px 0 0;${mailFontStyle};${
    makeBandStyle(color)
  }">
${content.outfitter}
</td></tr>
<tr><td class="card edge" style="padding:32px;border-radius:0 0 8px 8px;background-color:#ffffff;${mailFontStyle}">
${body}
</td></tr>
<tr><td class="edge" style="padding:20px 32px;${mailFontStyle}">
${content.closing.map(renderSmallPrint)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

/** Returns the preview text for an inbox: the activity and the time. */
const renderPreheader = ({ rows }: MailContent): Html => {
  const text = rows.slice(0, 2).map(({ value }) => value).join(" · ")
  return html`<div style="display:none;max-height:0;overflow:hidden">${text}</div>`
}

const makeBandStyle = (color: string) =>
  `background-color:${color};font-weight:bold;${makeTextStyle(16, 22, "#ffffff")}`

const renderParagraph = (text: string): Html =>
  html`<p class="ink" style="margin:0 0 16px;${makeTextStyle(16, 24)}">${text}</p>`

const renderRow = ({ isObsolete, label, value }: MailRow): Html => {
  const cell = `border-bottom:1px solid ${borderColor};font-weight:normal;text-align:left;vertical-align:top`
  const labelStyle = `width:110px;padding:10px 12px 10px 0;${cell};${makeTextStyle(14, 22, mutedColor)}`
  return html`<tr>
<th class="soft line label" scope="row" style="${labelStyle}">${label}</th>
${
    isObsolete
      ? html`<td class="soft line" style="padding:10px 0;${cell};${
        makeTextStyle(16, 22, mutedColor)
      }"><s>${value}</s></td>`
      : html`<td class="ink line" style="padding:10px 0;${cell};${makeTextStyle(16, 22)}">${value}</td>`
  }
</tr>`
}

const renderButton = ({ label, url }: LabeledLink, color: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td bgcolor="${color}" style="border-radius:6px">
<a href="${url}" style="display:inline-block;padding:13px 26px;border-radius:6px;text-decoration:none;${
    makeBandStyle(color)
  }">${label}</a>
</td>
</tr></table>`

const renderTextLink = ({ label, url }: LabeledLink): Html =>
  html`<p style="margin:20px 0 0"><a class="ink" href="${url}" style="${makeTextStyle(16, 24)}">${label}</a></p>`

const renderImage = ({ alt, caption }: MailImage): Html =>
  html`<p class="soft" style="margin:28px 0 0;${makeTextStyle(14, 22, mutedColor)}">
<img src="cid:${imageId}" width="164" height="164" alt="${alt}" style="display:block;margin:0 0 8px;border-radius:6px">
${caption}
</p>`

const renderSmallPrint = (text: string): Html =>
  html`<p class="soft" style="margin:0 0 8px;${makeTextStyle(13, 19, mutedColor)}">${text}</p>`

/** The content of an email, rendered as text and as HTML. Every string is a single line of plain text. */
export interface MailContent {
  readonly news: "held" | "confirmed" | "moved" | "updated" | "cancelled" | "returned"
  /** The language. Default: English. */
  readonly language?: Language
  readonly outfitter: string
  readonly subject: string
  /** A short summary for HTML. The paragraphs repeat the summary, because plain text has no heading. */
  readonly heading: string
  readonly greeting: string
  readonly paragraphs: ReadonlyArray<string>
  readonly rows: ReadonlyArray<MailRow>
  /** The main action, rendered as a button. */
  readonly action: LabeledLink
  readonly further: ReadonlyArray<LabeledLink>
  /** An image below the action, shown only in HTML. */
  readonly image?: MailImage
  readonly closing: ReadonlyArray<string>
}

interface MailImage {
  readonly png: Uint8Array
  readonly alt: string
  readonly caption: string
}

export interface MailRow {
  readonly label: string
  readonly value: string
  /**
   * Whether the value is obsolete. In HTML, the value is struck through, and the label must state that it is obsolete.
   */
  readonly isObsolete?: true
}

export interface LabeledLink {
  readonly label: string
  readonly url: string
}
