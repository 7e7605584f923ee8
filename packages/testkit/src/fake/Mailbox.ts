/**
 * A mailer that sends nothing: it keeps what it was given, and refuses when told
 * to.
 *
 * It promises that
 * - it has every message that was taken, in the order of sending, and the same
 *   one as often as it was sent;
 * - what it refuses fails with `MailFailed` and is not kept.
 */
import { type Mail, Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

/**
 * @category services
 */
export class Mailbox extends Context.Tag("@trailbook/testkit/Mailbox")<
  Mailbox,
  {
    /** What was sent, oldest first; the same message once for each time it was sent. */
    readonly sent: Effect.Effect<ReadonlyArray<Mail>>
    /** From now on nothing is taken, or all is taken again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<Mailbox | Mailer> = Layer.effectContext(
    Effect.gen(function*() {
      const sent = yield* Ref.make<ReadonlyArray<Mail>>([])
      const refuses = yield* Ref.make(false)
      const mailbox = Mailbox.of({ sent: Ref.get(sent), refuse: (to) => Ref.set(refuses, to) })
      const mailer = Mailer.of({
        send: (mail) =>
          Effect.flatMap(Ref.get(refuses), (refused) =>
            refused
              ? new MailFailed({ message: "The mailbox is full." })
              : Ref.update(sent, (mails) => [...mails, mail]))
      })
      return Context.make(Mailbox, mailbox).pipe(Context.add(Mailer, mailer))
    })
  )
}
