import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StaffMember } from "../StaffMember.ts"

/** Emails sign-in links. The text contains a secret, so it is never stored, not even in a task. */
export class SignInMails extends Context.Tag("@trailbook/core/SignInMails")<
  SignInMails,
  {
    /**
     * Sends the email, with retries for about a minute. A failure is only logged, because the staff member can request
     * a new link.
     */
    readonly send: (mail: {
      readonly to: StaffMember
      /** The org's name. */
      readonly org: string
      readonly url: string
    }) => Effect.Effect<void>
  }
>() {}
