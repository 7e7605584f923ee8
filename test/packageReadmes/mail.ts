import { OutboxFolder, Smtp } from "@trailbook/mail"
import * as Config from "effect/Config"

/** A `Mailer` for `BookingWorker.layer` or your own worker. It writes files that mail programs can open. */
export const mailer = OutboxFolder.layerConfig({
  directory: Config.string("OUTBOX"),
  from: Config.succeed("bookings@example.com")
})

/** A `Mailer` over SMTP: 8 connections, permanent and temporary failures, delivery reports. */
export const smtp = Smtp.layerConfig({
  url: Config.redacted("SMTP_URL"),
  from: Config.succeed("bookings@example.com"),
  replyDomain: Config.succeed("reply.example.com")
})
