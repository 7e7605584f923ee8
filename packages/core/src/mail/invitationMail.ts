import { linkMinutes } from "../staff/SignInLink.ts"
import { buttonMail } from "./buttonMail.ts"

/** The email to a new staff member. */
export const invitationMail = ({ outfitter, page, url }: {
  readonly outfitter: string
  /** The single-use sign-in link. */
  readonly url: string
  /** The page to request another link. */
  readonly page: string
}): { readonly text: string; readonly html: string } =>
  buttonMail({
    lead: `You are on the staff of ${outfitter} now. Here is your link to sign in:`,
    button: "Sign in",
    url,
    rest: [`It can be used once, in the next ${linkMinutes} minutes. After that ask for another here: ${page}`],
    closing: "If you know nothing of this, do nothing: nobody is signed in by this mail alone."
  })
