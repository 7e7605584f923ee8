import type { Link, MailContent } from "./MailContent.ts"
import type { Mail } from "./Mailer.ts"
import { imageId, mailHtml } from "./mailHtml.ts"
import { nameInMail } from "./nameInMail.ts"

/** Creates an automatic email without a reply address and without delivery reports. */
export const automatedMail = (
  id: string,
  outfitter: string,
  { email, name }: Mail["to"],
  content: Pick<Mail, "subject" | "text" | "html">
): Mail => ({
  id,
  from: { name: outfitter },
  to: { name: nameInMail(name), email },
  replyTo: null,
  ...content,
  calendar: null,
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
})

/** Like `automatedMail`, but also renders the content. */
export const fromContent = (id: string, to: Mail["to"], content: MailContent): Mail => ({
  ...automatedMail(id, content.outfitter, to, {
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content)
  }),
  attachments: content.image === undefined
    ? []
    : [{ name: "image.png", type: "image/png", content: content.image.png, contentId: imageId }]
})

/** Renders an email as plain text, which is complete without the HTML. */
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
const linkText = ({ label, url }: Link): string => `${label}:\n${url}`
