import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Ids } from "../port/Ids.ts"
import { SignInMailer } from "../staff/sign-in/SignInRequests.ts"
import { signInLinkMinutes } from "../staff/sign-in/StaffSession.ts"
import { makeAutomatedMail } from "./automatedMail.ts"
import { Mailer } from "./Mailer.ts"
import { renderButtonMail } from "./renderPlainMail.ts"
import { toSingleLine } from "./toSingleLine.ts"

/** Sends emails with a sign-in link immediately. */
export const layer: Layer.Layer<SignInMailer, never, Ids | Mailer> = Layer.effect(
  SignInMailer,
  Effect.gen(function*() {
    const ids = yield* Ids
    const mailer = yield* Mailer
    return SignInMailer.of({
      send: ({ org, to, url }) =>
        Effect.suspend(() => {
          const outfitter = toSingleLine(org)
          return mailer.send(
            makeAutomatedMail(ids.uuid(), outfitter, to, {
              subject: `Sign in to ${outfitter}`,
              ...renderSignInMail(outfitter, url)
            })
          )
        }).pipe(
          Effect.retry({ schedule: again, while: ({ permanent }) => !permanent }),
          // The logged message contains no names or addresses.
          Effect.catchAll(({ message }) =>
            Effect.annotateLogs(Effect.logWarning("Could not send a sign-in email"), { error: message })
          ),
          Effect.asVoid
        )
    })
  })
)

/** Retries after 5, 15, and 45 seconds. By the last retry, the staff member will probably have requested a new link. */
const again = Schedule.intersect(Schedule.exponential("5 seconds", 3), Schedule.recurs(3))

/**
 * Returns the content of the email. The URL opens a page with a button, so that a link scanner cannot use up the link.
 */
export const renderSignInMail = (outfitter: string, url: string): { readonly text: string; readonly html: string } =>
  renderButtonMail({
    lead: `Use this link to sign in to ${outfitter}:`,
    button: "Sign in",
    url,
    rest: [`The link works once and expires in ${signInLinkMinutes} minutes.`],
    closing: "If you did not request this link, you can safely ignore this email."
  })
