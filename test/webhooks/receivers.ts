/**
 * Who has endpoints: an outfitter of whose receivers some hang, a neighbour of whose receivers some fail, and two of which
 * every receiver hangs, so many that one worker has no room for them all.
 */
import type { Receiver, ReceiverServer } from "./ReceiverServer.ts"
import * as Script from "./scripts.ts"

export interface Part {
  readonly receiver: Receiver
  /** What it subscribes to. */
  readonly events: ReadonlyArray<string>
  /** In the end it has to have got everything. */
  readonly takes: boolean
  /** It is well all the time, and so are its outfitter's others or they fail at once: nobody may keep it waiting. */
  readonly isPrompt: boolean
}

/** The endpoints of one outfitter. */
export type Receivers = ReadonlyArray<Part>

const all = ["*"]

/** Of each of two outfitters; a worker runs 32 side by side. */
const hanging = 18

/** `isDown` says how long those are down that come back. */
export const receiversOf = (server: ReceiverServer, isDown: () => boolean): ReadonlyArray<Receivers> => {
  const elsewhere = server.receiver("elsewhere", Script.healthy)
  const part = (name: string, script: Script.Script, events = all): Part => ({
    receiver: server.receiver(name, script),
    events,
    takes: true,
    isPrompt: false
  })
  const never = (name: string, script: Script.Script): Part => ({ ...part(name, script), takes: false })
  const prompt = (name: string): Part => ({ ...part(name, Script.healthy), isPrompt: true })
  const overTls = (mine: Part): Part => ({
    ...mine,
    receiver: { ...mine.receiver, url: mine.receiver.url.replace("http:", "https:") }
  })
  const hangs = (where: string) => (_: unknown, at: number) =>
    never(`hangs-${where}-${at}`, at % 2 === 0 ? Script.hang : Script.dripHead)
  return [
    [
      part("well", Script.healthy),
      part("empty", Script.noContent),
      part("confirmed-only", Script.healthy, ["booking.confirmed"]),
      part("rare-and-unknown", Script.healthy, ["customer.updated", "raft.inflated"]),
      part("drips-body", Script.dripBody),
      part("floods", Script.flood(10_000_000), ["customer.updated"]),
      part("slow", Script.slow(80)),
      never("hangs", Script.hang),
      never("drips-head", Script.dripHead),
      overTls(never("breaks-tls", Script.healthy))
    ],
    [
      prompt("neighbour"),
      prompt("other-neighbour"),
      part("flaky", Script.flaky(30)),
      part("gone-for-a-while", Script.until(isDown, Script.gone)),
      part("redirects-for-a-while", Script.until(isDown, Script.redirect(elsewhere.url))),
      part("resets-for-a-while", Script.until(isDown, Script.reset)),
      { ...never("elsewhere", Script.healthy), receiver: elsewhere, events: ["raft.inflated"] }
    ],
    Array.from({ length: hanging }, hangs("here")),
    Array.from({ length: hanging }, hangs("there"))
  ]
}
