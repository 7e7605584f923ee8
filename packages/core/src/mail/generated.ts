import type { Mail } from "./Mailer.ts"

/**
 * What all mails have in common that are made by themselves: nobody reads an answer, and nobody asks what
 * became of them.
 *
 * @category constants
 */
export const generated = {
  replyTo: null,
  calendar: null,
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
} as const satisfies Partial<Mail>
