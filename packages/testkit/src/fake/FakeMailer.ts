/**
 * A mailer that records messages instead of sending them, with failures on demand.
 *
 * Guarantees:
 * - It records every accepted message in sending order, including duplicates.
 * - A refused message fails with `MailFailed` and is not recorded. A test can make it refuse all messages, or only
 *   those to one address, temporarily or permanently.
 * - If configured to, it reports that delivery reports were requested.
 */
import { type Mail, Mailer, MailFailed } from "@trailbook/core/mail"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

export class FakeMailer extends Context.Tag("@trailbook/testkit/FakeMailer")<
  FakeMailer,
  {
    /** All sent messages, oldest first, including duplicates. */
    readonly sent: Effect.Effect<ReadonlyArray<Mail>>
    /** Refuses every message, or accepts messages again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** Refuses mail to this address (`"permanently"` or `"for now"`), or accepts it again (`"no"`). */
    readonly refuseAddress: (email: string, refuses: "permanently" | "for now" | "no") => Effect.Effect<void>
    /**
     * Sets whether the mailer reports that a delivery report was requested, as it would with a mail server that
     * supports delivery reports.
     */
    readonly promiseReports: (promises: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeMailer | Mailer> = Layer.effectContext(
    Effect.gen(function*() {
      const sentMails = yield* Ref.make<ReadonlyArray<Mail>>([])
      const refuses = yield* Ref.make(false)
      const reportRequested = yield* Ref.make(false)
      const refusals = yield* Ref.make<ReadonlyMap<string, "permanently" | "for now" | "no">>(new Map())
      const mailbox = FakeMailer.of({
        sent: Ref.get(sentMails),
        refuse: (isRefusing) => Ref.set(refuses, isRefusing),
        refuseAddress: (email, refusal) => Ref.update(refusals, (all) => new Map([...all, [email, refusal]])),
        promiseReports: (promises) => Ref.set(reportRequested, promises)
      })
      const mailer = Mailer.of({
        send: (mail) =>
          Effect.gen(function*() {
            if (yield* Ref.get(refuses)) {
              return yield* new MailFailed({
                message: "The mailbox is full.",
                permanent: false,
                reason: "refused"
              })
            }
            const refusal = (yield* Ref.get(refusals)).get(mail.to.email) ?? "no"
            if (refusal !== "no") {
              const permanent = refusal === "permanently"
              return yield* new MailFailed({ message: "The address does not exist.", permanent, reason: "address" })
            }
            yield* Ref.update(sentMails, (mails) => [...mails, mail])
            return { reportRequested: yield* Ref.get(reportRequested) }
          })
      })
      return Context.make(FakeMailer, mailbox).pipe(Context.add(Mailer, mailer))
    })
  )
}
