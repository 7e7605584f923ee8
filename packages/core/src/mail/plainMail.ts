import { fonts } from "./fonts.ts"
import { type Html, html } from "./html.ts"

/** Renders an unstyled email, like one that a person writes, with the default background of the reader. */
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
