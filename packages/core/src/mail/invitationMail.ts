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
    lead: `You were added to the staff of ${outfitter}. Use this link to sign in:`,
    button: "Sign in",
    url,
    rest: [`The link works once and expires in ${linkMinutes} minutes. To get a new link, go to ${page}`],
    closing: "If you did not expect this invitation, ignore this email. Sign-in requires the link."
  })
