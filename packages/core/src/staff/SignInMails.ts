import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StaffMember } from "./StaffMember.ts"

/**
 * How somebody is mailed a link that signs them in. What it says is a secret, so it is
 * in no task and nowhere else that would be kept.
 *
 * @category ports
 */
export class SignInMails extends Context.Tag("@trailbook/core/SignInMails")<
  SignInMails,
  {
    /** Tries for a minute or so; a mail that does not leave is logged, and asked for again by who waits for it. */
    readonly send: (mail: {
      readonly to: StaffMember
      /** What the org is called. */
      readonly org: string
      readonly url: string
    }) => Effect.Effect<void>
  }
>() {}
