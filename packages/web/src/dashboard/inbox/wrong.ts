import { mistakesOf } from "../parts/Mistakes.tsx"
import type { Refused } from "../View.ts"

/**
 * Why something was not sent or snoozed, in the words of the page.
 *
 * @category getters
 */
export const wrongOf = (refused: Pick<Refused, "form" | "message"> | undefined): string | undefined => {
  const { fields: [field], news } = mistakesOf(refused, {
    body: "Your message",
    attachments: "The files",
    until: "Until"
  })
  return field?.[1] ?? news
}
