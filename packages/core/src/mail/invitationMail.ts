import { withFullStop } from "../org/withFullStop.ts"
import { invitationDays } from "../staff/SignInLink.ts"
import { buttonMail } from "./buttonMail.ts"

/** The email to a new staff member. */
export const invitationMail = ({ inviter, outfitter, page, url }: {
  readonly outfitter: string
  /** The name of the staff member who sent the invitation, or empty. */
  readonly inviter: string
  /** The single-use sign-in link. */
  readonly url: string
  /** The page to request another link. */
  readonly page: string
}): { readonly text: string; readonly html: string } =>
  buttonMail({
    lead: `${inviter === "" ? "You were added" : `${inviter} added you`} to the staff of ${
      withFullStop(outfitter)
    } Use this link to sign in:`,
    button: "Sign in",
    url,
    rest: [`The link works once and expires in ${invitationDays} days. To get a new link, go to ${page}`],
    closing: "If you did not expect this invitation, ignore this email. Sign-in requires the link."
  })
