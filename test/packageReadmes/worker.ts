import { Tasks } from "@trailbook/core/mail/Tasks"
import { OutboxFolder } from "@trailbook/mail"
import { Worker } from "@trailbook/worker"
import * as Layer from "effect/Layer"

/** Works for as long as the layer lives, over the engine that it is provided with. */
export const layer = Worker.layer({ grace: "10 seconds" }).pipe(
  Layer.provide(Tasks.layer({ publicUrl: "https://book.example.com" })),
  Layer.provide(OutboxFolder.layer({ directory: "outbox", from: "bookings@example.com" }))
)
