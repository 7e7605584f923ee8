import { fonts } from "./fonts.ts"
import { type Html, html } from "./html.ts"

/**
 * A mail as plain as one that a person writes: words on the reader's own ground.
 *
 * @category converting
 */
export const plainMail = (body: Html): string =>
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
