/**
 * A mailer that sends nothing: it keeps what it was given, and refuses when told
 * to.
 *
 * It promises that
 * - it has every message that was taken, in the order of sending, and the same
 *   one as often as it was sent;
 * - what it refuses fails with `MailFailed` and is not kept: for all mails, or for
 *   those to one address, for now or for good;
 * - it says that a report was asked for when it is told to promise them.
 */
import { type Mail, Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

export class FakeMailer extends Context.Tag("@trailbook/testkit/FakeMailer")<
  FakeMailer,
  {
    /** What was sent, oldest first; the same message once for each time it was sent. */
    readonly sent: Effect.Effect<ReadonlyArray<Mail>>
    /** From now on nothing is taken, or all is taken again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
    /** From now on mail to this address is refused, `"permanently"` or `"for now"`, or is taken again: `"no"`. */
    readonly refuseAddress: (email: string, refuses: "permanently" | "for now" | "no") => Effect.Effect<void>
    /** From now on reports are asked for, as a mail server that offers them allows, or not. */
    readonly promiseReports: (promises: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeMailer | Mailer> = Layer.effectContext(
    Effect.gen(function*() {
      const sent = yield* Ref.make<ReadonlyArray<Mail>>([])
      const refuses = yield* Ref.make(false)
      const reportRequested = yield* Ref.make(false)
      const refused = yield* Ref.make<ReadonlyMap<string, "permanently" | "for now" | "no">>(new Map())
      const mailbox = FakeMailer.of({
        sent: Ref.get(sent),
        refuse: (to) => Ref.set(refuses, to),
        refuseAddress: (email, how) => Ref.update(refused, (all) => new Map([...all, [email, how]])),
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
            const how = (yield* Ref.get(refused)).get(mail.to.email) ?? "no"
            if (how !== "no") {
              const permanent = how === "permanently"
              return yield* new MailFailed({ message: "There is no such address.", permanent, reason: "address" })
            }
            yield* Ref.update(sent, (mails) => [...mails, mail])
            return { reportRequested: yield* Ref.get(reportRequested) }
          })
      })
      return Context.make(FakeMailer, mailbox).pipe(Context.add(Mailer, mailer))
    })
  )
}
