import { Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostFailure } from "./hostFailure.ts"
import { isSet } from "./isSet.ts"
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
          ? Effect.succeed({ reportRequested: false })
          : Effect.tryPromise({
            try: async () => ({ reportRequested: isSet(await mailer.send(mail), "reportRequested") }),
            catch: (error) =>
              new MailFailed({
                message: hostFailure("mailer", error),
                permanent: isSet(error, "permanent"),
                reason: "program"
              })
          })
    })
  )
