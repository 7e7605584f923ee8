import { linkMinutes } from "../staff/SignInLink.ts"
import { buttonMail } from "./buttonMail.ts"

/**
 * What somebody is told who was put on the staff.
 *
 * @category converting
 */
export const invitationMail = ({ outfitter, page, url }: {
  readonly outfitter: string
  /** What signs them in, once. */
  readonly url: string
  /** Where they ask for another. */
  readonly page: string
}): { readonly text: string; readonly html: string } =>
  buttonMail({
    lead: `You are on the staff of ${outfitter} now. Here is your link to sign in:`,
    button: "Sign in",
    url,
    rest: [`It can be used once, in the next ${linkMinutes} minutes. After that ask for another here: ${page}`],
    closing: "If you know nothing of this, do nothing: nobody is signed in by this mail alone."
  })
