import type { MailContent } from "./MailContent.ts"
import type { Mail } from "./Mailer.ts"
import { mailHtml } from "./mailHtml.ts"
import { mailText } from "./mailText.ts"
import { nameInMail } from "./nameInMail.ts"

/** Creates an automatic email without a reply address and without delivery reports. */
export const automatedMail = (
  id: string,
  outfitter: string,
  { email, name }: Mail["to"],
  said: Pick<Mail, "subject" | "text" | "html">
): Mail => ({
  id,
  from: { name: outfitter },
  to: { name: nameInMail(name), email },
  replyTo: null,
  ...said,
  calendar: null,
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
})

/** Like `automatedMail`, with the rendered content. */
export const fromContent = (id: string, to: Mail["to"], content: MailContent): Mail =>
  automatedMail(id, content.outfitter, to, {
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content)
  })
