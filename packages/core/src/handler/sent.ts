import * as Effect from "effect/Effect"
import type { MailFailed, MailSent } from "../mail/Mailer.ts"
import * as Handler from "../task/Handler.ts"

/**
 * A task that is done once its mail was taken.
 *
 * @category running
 */
export const sent = (sending: Effect.Effect<MailSent, MailFailed>): Effect.Effect<"done", Handler.TaskFailed> =>
  Effect.mapBoth(sending, {
    onSuccess: () => "done" as const,
    onFailure: ({ message, permanent }) => new Handler.TaskFailed({ message, permanent })
  })
