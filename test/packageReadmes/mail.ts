import { OutboxFolder, Smtp } from "@trailbook/mail"
import * as Config from "effect/Config"

/** The `Mailer` of a worker, `BookingWorker.layer` or one of your own: files that mail programs open. */
export const mailer = OutboxFolder.layerConfig({
  directory: Config.string("OUTBOX"),
  from: Config.succeed("bookings@example.com")
})

/** The same over SMTP: eight connections, a refusal for good told from one for now, delivery reports asked for. */
export const smtp = Smtp.layerConfig({
  url: Config.redacted("SMTP_URL"),
  from: Config.succeed("bookings@example.com"),
  replyDomain: Config.succeed("reply.example.com")
})
