import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"

/** The kinds of actors that can record something on a booking. The host application counts as a key. */
export const recorderKinds = ["staff", "key", "application", "agent", "provider"] as const

/** The actor that recorded something, with its name at that time. */
export const Recorder = Schema.Struct({
  kind: withDescription("the kind of actor", Schema.Literal(...recorderKinds), "staff"),
  id: withDescription(
    "the actor's ID, or null for a host application or a payment provider",
    Schema.NullOr(Schema.String)
  ),
  name: withDescription("the actor's name at the time", Schema.String, "Ana Ruiz")
}).annotations({ identifier: "Recorder" })
export type Recorder = typeof Recorder.Type
