/**
 * The one layout of all messages: tables and inline styles, which mail programs
 * of twenty years agree on, and nothing that is loaded from elsewhere. What is in
 * the style element only adapts it to small and dark screens; a program that
 * drops it shows the light page.
 *
 * @since 0.1.0
 */
import { type Html, html } from "./html.ts"
import type { Letter, Link, Row } from "./Letter.ts"

/**
 * A letter as an HTML page.
 *
 * @since 0.1.0
 * @category converting
 */
export const letterHtml = (letter: Letter): string => {
  const color = colors[letter.news]
  return layout({
    title: letter.subject,
    // What an inbox shows beside the subject: the what and the when.
    preheader: letter.rows.slice(0, 2).map(({ value }) => value).join(" · "),
    outfitter: letter.outfitter,
    color,
    closing: letter.closing,
    body: [
      html`<h1 class="ink" style="margin:0 0 20px;font-size:24px;line-height:30px;color:#1c2521">${letter.heading}</h1>`,
      ...[letter.greeting, ...letter.paragraphs].map(paragraph),
      html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 28px">
${letter.rows.map(row)}
</table>`,
      button(letter.action, color),
      ...letter.further.map(textLink)
    ]
  }).markup
}

// Each carries white text with a contrast of at least 6 to 1.
const colors: Record<Letter["news"], string> = {
  held: "#8a4b00",
  confirmed: "#1f5f46",
  moved: "#1d5580",
  cancelled: "#59605c"
}

const layout = (page: {
  readonly title: string
  readonly preheader: string
  readonly outfitter: string
  readonly color: string
  readonly body: ReadonlyArray<Html>
  readonly closing: ReadonlyArray<string>
}): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${page.title}</title>
<style>
@media (max-width: 480px) { .card { padding: 24px 20px !important } }
@media (prefers-color-scheme: dark) {
  .page { background-color: #121614 !important }
  .card { background-color: #1d2320 !important }
  .ink { color: #f2f5f3 !important }
  .soft { color: #a9b3ae !important }
  .line { border-color: #343c38 !important }
}
</style>
</head>
<body class="page" style="margin:0;background-color:#f1f3f0;${font}">
<div style="display:none;max-height:0;overflow:hidden">${page.preheader}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f1f3f0">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td bgcolor="${page.color}" style="padding:16px 32px;border-radius:8px 8px 0 0;background-color:${page.color};${font};font-size:16px;line-height:22px;font-weight:bold;color:#ffffff">${page.outfitter}</td></tr>
<tr><td class="card" bgcolor="#ffffff" style="padding:32px;border-radius:0 0 8px 8px;background-color:#ffffff;${font}">
${page.body}
</td></tr>
<tr><td style="padding:20px 32px;${font}">
${page.closing.map(smallPrint)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const paragraph = (words: string): Html =>
  html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1c2521">${words}</p>`

const row = ({ label, over, value }: Row): Html =>
  html`<tr>
<th class="soft line" scope="row" align="left" valign="top" width="110" style="padding:10px 12px 10px 0;border-bottom:1px solid #e2e6e3;font-size:14px;line-height:22px;font-weight:normal;color:#59605c">${label}</th>
<td class="${
    over ? "soft" : "ink"
  } line" style="padding:10px 0;border-bottom:1px solid #e2e6e3;font-size:16px;line-height:22px;color:${
    over ? "#59605c" : "#1c2521"
  }">${over ? html`<s>${value}</s>` : value}</td>
</tr>`

const button = ({ label, url }: Link, color: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="${color}" style="border-radius:6px;background-color:${color}">
<a href="${url}" style="display:inline-block;padding:13px 26px;font-size:16px;line-height:22px;font-weight:bold;color:#ffffff;text-decoration:none">${label}</a>
</td></tr></table>`

const textLink = ({ label, url }: Link): Html =>
  html`<p style="margin:20px 0 0;font-size:16px;line-height:24px"><a class="ink" href="${url}" style="color:#1c2521">${label}</a></p>`

const smallPrint = (words: string): Html =>
  html`<p class="soft" style="margin:0 0 8px;font-size:13px;line-height:19px;color:#59605c">${words}</p>`
