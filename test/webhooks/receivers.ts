/**
 * The endpoints of four outfitters. Some receivers of the first outfitter hang, some receivers of the second outfitter
 * fail, and all receivers of the other two outfitters hang. There are more hanging receivers than one worker can serve
 * concurrently.
 */
import type { Receiver, ReceiverServer } from "./ReceiverServer.ts"
import * as Script from "./scripts.ts"

export interface Part {
  readonly receiver: Receiver
  /** The subscribed event types. */
  readonly events: ReadonlyArray<string>
  /** Whether the receiver must have received all of its events by the end. */
  readonly takes: boolean
  /**
   * Whether deliveries must be prompt. If true, the receiver is always healthy, and the other receivers of its
   * outfitter fail immediately instead of hanging.
   */
  readonly isPrompt: boolean
}

export type Receivers = ReadonlyArray<Part>

const all = ["*"]

/** The number of hanging receivers for each of two outfitters. A worker makes 32 concurrent deliveries. */
const hanging = 18

/** Creates the receivers. `isDown` returns whether the receivers with temporary failures are currently failing. */
export const receiversOf = (server: ReceiverServer, isDown: () => boolean): ReadonlyArray<Receivers> => {
  const elsewhere = server.receiver("elsewhere", Script.okResponse)
  const part = (name: string, script: Script.Script, events = all): Part => ({
    receiver: server.receiver(name, script),
    events,
    takes: true,
    isPrompt: false
  })
  const never = (name: string, script: Script.Script): Part => ({ ...part(name, script), takes: false })
  const prompt = (name: string): Part => ({ ...part(name, Script.okResponse), isPrompt: true })
  const overTls = (original: Part): Part => ({
    ...original,
    receiver: { ...original.receiver, url: original.receiver.url.replace("http:", "https:") }
  })
  const hangs = (where: string) => (_: unknown, at: number) =>
    never(`hangs-${where}-${at}`, at % 2 === 0 ? Script.hang : Script.dripHead)
  return [
    [
      part("well", Script.okResponse),
      part("empty", Script.noContent),
      part("confirmed-only", Script.okResponse, ["booking.confirmed"]),
      part("rare-and-unknown", Script.okResponse, ["customer.updated", "raft.inflated"]),
      part("drips-body", Script.dripBody),
      part("floods", Script.flood(10_000_000), ["customer.updated"]),
      part("slow", Script.respondSlowly(80)),
      never("hangs", Script.hang),
      never("drips-head", Script.dripHead),
      overTls(never("breaks-tls", Script.okResponse))
    ],
    [
      prompt("neighbor"),
      prompt("other-neighbor"),
      part("flaky", Script.failRandomly(30)),
      part("gone-for-a-while", Script.until(isDown, Script.goneResponse)),
      part("redirects-for-a-while", Script.until(isDown, Script.redirect(elsewhere.url))),
      part("resets-for-a-while", Script.until(isDown, Script.reset)),
      { ...never("elsewhere", Script.okResponse), receiver: elsewhere, events: ["raft.inflated"] }
    ],
    Array.from({ length: hanging }, hangs("here")),
    Array.from({ length: hanging }, hangs("there"))
  ]
}
