import { Mailer, MailFailed } from "@trailbook/core/mail"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasTrueFlag } from "../hook/hasTrueFlag.ts"
import { hostFailure } from "../transaction/hostFailure.ts"
import type * as Host from "./Mailer.ts"

export const mailerLayer = (mailer: Host.Mailer | "none"): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        mailer === "none"
          ? Effect.succeed({ reportRequested: false })
          : Effect.tryPromise({
            try: async () => ({ reportRequested: hasTrueFlag(await mailer.send(mail), "reportRequested") }),
            catch: (error) =>
              new MailFailed({
                message: hostFailure("mailer", error),
                permanent: hasTrueFlag(error, "permanent"),
                reason: "program"
              })
          })
    })
  )
