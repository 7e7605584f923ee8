import { Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostFailure } from "./hostFailure.ts"
import type * as Host from "./Mailer.ts"

/**
 * @category layers
 */
export const mailerOf = (mailer: Host.Mailer | "none"): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        mailer === "none"
          ? Effect.void
          : Effect.tryPromise({
            try: async () => {
              await mailer.send(mail)
            },
            catch: (error) => new MailFailed({ message: hostFailure("mailer", error) })
          })
    })
  )
